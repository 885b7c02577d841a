/** The page that visitors see whose network or browser is blocked. They get no files, so it needs none. */
import { directionOf, type Language } from "../../../common/languages.ts";

const TEXTS = {
  en: {
    title: "Access is blocked",
    text: "The operator of this site has blocked your network or your browser, mostly because of misuse that came from there.",
    help: "If you think that is wrong, write to",
  },
  de: {
    title: "Der Zugang ist gesperrt",
    text: "Der Betreiber dieser Seite hat dein Netzwerk oder deinen Browser gesperrt, meist weil von dort Missbrauch kam.",
    help: "Wenn du meinst, dass das ein Irrtum ist, schreib an",
  },
  es: {
    title: "El acceso está bloqueado",
    text: "El operador de este sitio ha bloqueado tu red o tu navegador, casi siempre por un uso indebido que vino de ahí.",
    help: "Si crees que es un error, escribe a",
  },
  hi: {
    title: "पहुँच रोक दी गई है",
    text: "इस साइट के संचालक ने आपके नेटवर्क या ब्राउज़र को रोक दिया है, अक्सर वहाँ से हुए दुरुपयोग के कारण।",
    help: "अगर आपको लगता है कि यह ग़लत है, तो यहाँ लिखें:",
  },
  ar: {
    title: "الوصول محظور",
    text: "حظر مشغّل هذا الموقع شبكتك أو متصفّحك، وغالبًا بسبب سوء استخدام جاء من هناك.",
    help: "إذا كنت تظن أن هذا خطأ، فاكتب إلى",
  },
} as const satisfies Record<Language, unknown>;

/** @param email from the operator's settings, so it is no input of visitors; escaped all the same */
export function blockedPage(language: Language, email: string): string {
  const { title, text, help } = TEXTS[language];
  const address = email.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>Tapedeck: ${title}</title>` +
    `<h1>${title}</h1><p>${text}</p><p>${help} <a href="mailto:${address}" dir="ltr">${address}</a></p></html>`
  );
}
