import type { FeedTexts } from "./en.ts";

export const es: FeedTexts = {
  title: "Mis cintas como pódcast",
  about: (kept) =>
    `Escucha lo que conviertes en audio en cualquier aplicación de pódcast y en todos tus dispositivos. Con tu plan una cinta se guarda ${kept}.`,
  loading: "Cargando el feed",
  notLoaded: "No se pudo cargar el feed.",
  retry: "Intentar de nuevo",
  none: "Aún no hay dirección",
  failed: "No ha funcionado. Comprueba tu conexión e inténtalo de nuevo.",
  make: "Crear la dirección",
  on: "Tu feed está activo",
  since: (day) => `dirección creada: ${day}`,
  neverRead: "ninguna aplicación lo ha leído aún",
  lastRead: (day) => `leído por última vez: ${day}`,
  copyNow:
    "Copia ahora esta dirección en tu aplicación de pódcast. No se muestra otra vez, y quien la tenga puede escuchar.",
  open: "Abrir en una aplicación de pódcast",
  copy: "Copiar",
  copied: "Copiado",
  done: "Listo",
  renewal: {
    revoke: "Nueva dirección",
    revokeNamed: (name) => `Nueva dirección para ${name}`,
    revokeForGood: "Reemplazar la dirección anterior",
    keep: "Conservarla",
  },
  revoke: "Desactivar",
  revokeNamed: (name) => `Desactivar ${name}`,
  revokeForGood: "Desactivar para siempre",
  keep: "Conservarlo",
};
