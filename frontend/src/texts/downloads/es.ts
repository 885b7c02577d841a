import type { DownloadTexts } from "./en.ts";

export const es: DownloadTexts = {
  share: "Descargar abre el menú de compartir: elige «Guardar en Archivos».",
  loading: "Cargando el archivo…",
  loadingTo: (percent: string) => `Cargando el archivo: ${percent}`,
  ready: "El archivo está cargado. Pulsa Descargar otra vez.",
  failed: "No se pudo cargar el archivo. Pulsa Descargar otra vez.",
  tooLarge: "Este archivo es demasiado grande para compartirlo aquí. Ábrelo en tu navegador.",
  unsupported: "Esta aplicación no puede compartir el archivo. Ábrelo en tu navegador.",
  inside: "Esta aplicación quizá no guarde archivos. Abre el archivo en tu navegador.",
  waits: "Otros archivos aún se descargan. Este empieza cuando esté terminado.",
  open: "Abrir en el navegador",
  copy: "Copiar dirección",
  copied: "Copiada: pégala en tu navegador",
  address: "Dirección para tu navegador",
};
