/** The page that browsers show while the server cannot answer. It reloads itself. */
import { directionOf, type Language } from "../../../common/languages.ts";

/** Time after which a caller may try again after a 503. */
export const RETRY_AFTER_SECONDS = 1;

/** The headers of an answer with this page. */
export const COME_BACK_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Retry-After": String(RETRY_AFTER_SECONDS),
  Refresh: String(RETRY_AFTER_SECONDS),
} as const;

const TEXTS = {
  en: {
    starting: "Tapedeck is starting.",
    away: "Tapedeck cannot answer at the moment.",
    back: "This page comes back by itself.",
  },
  de: {
    starting: "Tapedeck startet.",
    away: "Tapedeck kann gerade nicht antworten.",
    back: "Diese Seite kommt von selbst wieder.",
  },
  es: {
    starting: "Tapedeck se está iniciando.",
    away: "Tapedeck no puede responder en este momento.",
    back: "Esta página vuelve por sí sola.",
  },
  hi: {
    starting: "Tapedeck शुरू हो रहा है।",
    away: "Tapedeck इस समय जवाब नहीं दे सकता।",
    back: "यह पेज अपने आप वापस आ जाएगा।",
  },
  ar: {
    starting: "‏Tapedeck قيد التشغيل.",
    away: "لا يستطيع Tapedeck الرد في هذه اللحظة.",
    back: "ستعود هذه الصفحة من تلقاء نفسها.",
  },
} as const satisfies Record<Language, unknown>;

/** @param reason why the server cannot answer */
export function comeBackPage(reason: "starting" | "away", language: Language): string {
  const texts = TEXTS[language];
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">` +
    `<title>Tapedeck</title><p>${texts[reason]} ${texts.back}`
  );
}
