import { pluralIn } from "../plural.ts";
import type { AccountTexts } from "./en.ts";

const plural = pluralIn("es");

export const es: AccountTexts = {
  welcome: (name: string) => `Te damos la bienvenida, ${name}`,
  converter: "Convertidor",
  logout: "Cerrar sesión",
  following: "Seguimientos",
  totalConversions: "Conversiones",
  dataUsed: "Datos usados",
  thisMonth: "Este mes",
  status: "Estado de la cuenta",
  recent: "Conversiones recientes",
  none: "Aún no hay conversiones",
  start: "Empezar a convertir",
  search: "Buscar en los títulos",
  noneFound: "Ningún título tiene estas palabras.",
  usageByDay: (days) => `Uso de los últimos ${days} días`,
  noUsage: (days) => `No se ha convertido nada en los últimos ${days} días.`,
  usageFailed: "No se pudo cargar el uso.",
  usageRetry: "Intentar de nuevo",
  day: "Día (UTC)",
  conversions: "Conversiones",
  usageSummary: (count, shown, size) =>
    plural(count, { one: `${shown} conversión, ${size}.`, other: `${shown} conversiones, ${size}.` }),
  title: "Cuenta",
  export: "Exportar mis datos",
  signOutEverywhere: "Cerrar sesión en todas partes",
  signOutEverywhereAbout: "Cerrar sesión en todas partes también revoca todos los tokens. Los webhooks se quedan.",
  delete: "Eliminar la cuenta",
  deleteEndsSubscription:
    "Tu suscripción termina al momento: no se cobra nada más y no conservas Pro durante el resto del periodo pagado.",
  deleteExplained: {
    before:
      "Tus archivos desaparecen al momento, tus sesiones terminan y lo que hay guardado sobre ti se elimina en un plazo de 30 días. Escribe",
    after: "para confirmar.",
  },
  deleteForGood: "Eliminar mi cuenta",
  signInAgainFirst: "Para eliminar la cuenta, primero vuelve a iniciar sesión. Después volverás aquí.",
  signInAgain: "Volver a iniciar sesión",
  keep: "Conservarla",
};
