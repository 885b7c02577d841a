/** The page behind a link to a file. It needs no script and no other file, so that any browser of any device shows it. */
import { MINUTE_MS } from "../../../common/durations.ts";
import { directionOf, type Language } from "../../../common/languages.ts";
import { BYTES_PER_MB } from "../../../common/tiers.ts";

const TEXTS = {
  en: {
    download: "Download",
    once: "This link works once: it is used up when you press Download.",
    ends: (when: string) => `This link ends ${when}.`,
    goneTitle: "This link does not work any more",
    gone: "It was used, has ended or was revoked. Ask for a new one where you got it.",
  },
  de: {
    download: "Laden",
    once: "Dieser Link gilt einmal: Mit dem Druck auf „Laden“ ist er verbraucht.",
    ends: (when: string) => `Dieser Link endet ${when}.`,
    goneTitle: "Dieser Link gilt nicht mehr",
    gone: "Er wurde benutzt, ist abgelaufen oder wurde widerrufen. Bitte um einen neuen, wo du ihn bekommen hast.",
  },
  es: {
    download: "Descargar",
    once: "Este enlace sirve una vez: se gasta cuando pulsas Descargar.",
    ends: (when: string) => `Este enlace termina ${when}.`,
    goneTitle: "Este enlace ya no funciona",
    gone: "Se usó, terminó o fue revocado. Pide uno nuevo a quien te lo dio.",
  },
  hi: {
    download: "डाउनलोड",
    once: "यह लिंक एक बार चलता है: डाउनलोड दबाने पर यह ख़त्म हो जाता है।",
    ends: (when: string) => `यह लिंक ${when} ख़त्म हो जाएगा।`,
    goneTitle: "यह लिंक अब नहीं चलता",
    gone: "यह इस्तेमाल हो चुका है, समाप्त हो गया है या रद्द कर दिया गया है। जहाँ से मिला था, वहीं से नया माँगें।",
  },
  ar: {
    download: "تنزيل",
    once: "يعمل هذا الرابط مرة واحدة: ينتهي عند الضغط على «تنزيل».",
    ends: (when: string) => `ينتهي هذا الرابط ${when}.`,
    goneTitle: "لم يعد هذا الرابط يعمل",
    gone: "استُخدم أو انتهى أو أُبطل. اطلب رابطًا جديدًا ممّن أعطاك إياه.",
  },
} as const satisfies Record<Language, unknown>;

/** As in frontend/src/theme/colors.ts. */
const STYLE = `
  :root { color-scheme: light dark }
  body { margin: 0; min-height: 100svh; display: grid; place-content: center; justify-items: center; gap: 1rem;
    padding: 2rem 1rem; box-sizing: border-box; font: 1rem/1.5 system-ui, sans-serif; text-align: center;
    background: light-dark(#faf8f3, #131210); color: light-dark(#1c1a15, #f4f0e6) }
  img { width: 3.5rem }
  h1 { margin: 0; max-width: 34rem; font-size: 1.375rem; line-height: 1.3; overflow-wrap: anywhere }
  p { margin: 0; max-width: 26rem; color: light-dark(#6a6456, #aaa292) }
  a { display: grid; place-items: center; min-height: 3.25rem; min-width: 12rem; padding: 0 1.5rem; border-radius: .75rem;
    box-sizing: border-box; font-weight: 600; text-decoration: none;
    background: light-dark(#f5a81c, #ffb938); color: light-dark(#2a1d00, #241900) }
  a:focus-visible { outline: 2px solid; outline-offset: 2px }`;

export interface LinkedFile {
  /** Where the file is. */
  readonly url: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Null for a link that works once. */
  readonly endsAt: Date | null;
}

export function fileLinkPage(language: Language, { url, name, sizeBytes, endsAt }: LinkedFile): string {
  const texts = TEXTS[language];
  const ends = endsAt === null ? texts.once : texts.ends(inMinutes(language, endsAt.getTime() - Date.now()));
  return page(
    language,
    name,
    `<p>${sizeIn(language, sizeBytes)}</p><a href="${escape(url)}" download rel="nofollow">${texts.download}</a><p>${ends}</p>`,
  );
}

export function endedLinkPage(language: Language): string {
  const { goneTitle, gone } = TEXTS[language];
  return page(language, goneTitle, `<p>${gone}</p>`);
}

/** @param content is HTML, the title any text */
function page(language: Language, title: string, content: string): string {
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex, nofollow">` +
    `<title>${escape(title)}</title><link rel="icon" href="/favicon.svg"><style>${STYLE}</style>` +
    `<img src="/favicon.svg" alt="Tapedeck"><h1 dir="auto">${escape(title)}</h1>${content}</html>`
  );
}

/** Titles are of foreign sites. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Latin digits in all languages, as on the other pages. */
const localeOf = (language: Language): string => `${language}-u-nu-latn`;

function sizeIn(language: Language, sizeBytes: number): string {
  const [unit, amount, digits] =
    sizeBytes < BYTES_PER_MB / 10
      ? (["kilobyte", Math.ceil(sizeBytes / 1_000), 0] as const)
      : (["megabyte", sizeBytes / BYTES_PER_MB, 1] as const);
  const options = { style: "unit", unit, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(localeOf(language), options).format(amount);
}

/** @returns such as "in 9 minutes" */
function inMinutes(language: Language, ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  return new Intl.RelativeTimeFormat(localeOf(language)).format(minutes, "minute");
}
