/** What a page says when its scripts cannot be loaded: short, for the bar of a phone. The build writes it into the page: no script has it. */
import type { Language } from "../../../common/languages.ts";

export interface NotLoadedTexts {
  readonly title: string;
  readonly text: string;
}

export const NOT_LOADED: Readonly<Record<Language, NotLoadedTexts>> = {
  en: {
    title: "This page is not ready yet.",
    text: "Check your connection, then press anything.",
  },
  de: {
    title: "Diese Seite ist noch nicht bereit.",
    text: "Prüfe deine Verbindung und drücke dann irgendetwas.",
  },
  es: {
    title: "Esta página aún no está lista.",
    text: "Comprueba tu conexión y pulsa cualquier cosa.",
  },
  hi: {
    title: "यह पेज अभी तैयार नहीं है।",
    text: "अपना कनेक्शन जाँचें, फिर कुछ भी दबाएँ।",
  },
  ar: {
    title: "هذه الصفحة ليست جاهزة بعد.",
    text: "تحقّق من اتصالك، ثم اضغط أي شيء.",
  },
};
