import type { ExtensionTexts } from "./en.ts";

export const es: ExtensionTexts = {
  language: "es",
  about: "Convierte la página que estás viendo a MP3 o MP4 en tu servidor Tapedeck.",
  convert: "Convertir esta página",
  starting: "Empezando…",
  progress: (title, percent) => (percent === undefined ? `${title}: en espera` : `${title}: ${percent} %`),
  download: (titles) => `Listo. Pulsa para descargar: ${titles}`,
  lost: "Se ha perdido la conexión. Intentándolo de nuevo…",
  noServer: (server) => `No hay conexión con ${server}. Comprueba la dirección y tu red e inténtalo de nuevo.`,
  notAllowed: (server) => `El navegador no deja que esta extensión llegue a ${server}. Vuelve a guardar los ajustes.`,
  pages: {
    options: {
      title: "Tapedeck en tu navegador",
      server: "Dirección del servidor",
      token: "Token",
      aboutToken: "Crea uno en tu panel que pueda leer, convertir y descargar.",
      dashboard: "Abrir el panel",
      format: "Convertir las páginas a",
      save: "Guardar",
      saved: (name) => `Hola, ${name}. Todo está listo.`,
      noAddress: "Esa no es la dirección de un servidor. Tiene la forma https://tapedeck.example.",
      needsPermission: "Sin este permiso la extensión no llega al servidor. Guarda otra vez y permítelo.",
      openToReaders: "Este servidor no tiene https: otros en el camino pueden leer el token.",
    },
    problem: { title: "Eso no ha funcionado", retry: "Reintentar", settings: "Ajustes" },
  },
};
