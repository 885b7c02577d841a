import type { ApiTexts } from "./en.ts";

export const es: ApiTexts = {
  title: "La API de Tapedeck",
  lead: "Todo lo que hace la página lo pueden hacer tus programas. Crea un token en el panel y envíalo como «Authorization: Bearer». La descripción está en inglés.",
  loading: "Cargando la descripción",
  failed: "No se pudo cargar la descripción.",
  retry: "Intentar de nuevo",
};
