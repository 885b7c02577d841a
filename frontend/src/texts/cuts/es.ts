import type { CutTexts } from "./en.ts";

export const es: CutTexts = {
  cutAgain: "Volver a cortar",
  cutAgainOf: (title) => `Volver a cortar: ${title}`,
  close: "Cerrar",
  loading: "Dibujando el sonido…",
  noWaveform: "No se pudo dibujar el sonido. Puedes cortar sin él.",
  again: "Intentar de nuevo",
  playStart: "Oír el inicio",
  playEnd: "Oír el fin",
  address: "Enlace a esta parte",
  copyLink: "Copiar enlace",
  copied: "Copiado",
  cut: "Cortar",
  cutting: "Cortando…",
  gone: "Este archivo ya no está aquí. Convierte la parte desde su enlace.",
  failed: "No se pudo cortar el archivo. Revisa tu conexión e inténtalo de nuevo.",
};
