/**
 * Finds out how the characters of a subtitle file are encoded: by its mark, by what its bytes can be, by what the server
 * or the file itself states, and last by a guess from the language. Pure.
 */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * What old files in a language are encoded in: the table of suggested defaults in "Determining the character encoding"
 * (WHATWG HTML, 13.2.3.2), with the languages that have two or share one.
 */
const BY_LANGUAGE: readonly (readonly [string, string])[] = [
  ["windows-1251", "ru uk be bg mk sr kk ky mn tg tt"],
  ["windows-1250", "pl cs sk hu sl hr bs ro sq sr-Latn"],
  ["windows-1253", "el"],
  ["windows-1254", "tr az ku"],
  ["windows-1255", "he iw yi"],
  ["windows-1256", "ar fa ur ps ckb"],
  ["windows-1257", "et lv lt"],
  ["windows-1258", "vi"],
  ["windows-874", "th"],
  ["shift_jis", "ja"],
  ["euc-kr", "ko"],
  ["big5", "zh-Hant zh-TW zh-HK"],
  ["gb18030", "zh"],
];
/** Tried in this order where the language says nothing; the first of equals is taken. */
const USUAL = ["windows-1252", "windows-1251", "windows-1250", "windows-1253", "windows-1256"];

/** Letters are counted in the beginning only. */
const SAMPLE_BYTES = 64_000;
/** Counts half in an encoding of the language itself, because some languages have accents in a row. */
const OWN_WEIGHT = 0.5;
/** Servers that are not set up state these for every text. */
const DEFAULTS: ReadonlySet<string> = new Set(["utf-8", "windows-1252"]);

/** What no language has: signs within words, capitals after small letters, words of two scripts, and accents in a row. */
const UNLIKELY = [
  /[\u0080-\u009f\ufffd]/g,
  /\p{L}(?:[¡¿]|(?![\p{L}\p{M}\p{P}\p{Z}])[\u00a0-\uffff])/gu,
  /\p{Ll}(?![A-Z])\p{Lu}/gu,
  /\p{Script=Latin}(?!\p{Script=Latin})[\p{L}\p{M}،؛؟]/gu,
  /(?!\p{Script=Latin})[\p{L}\p{M}،؛؟]\p{Script=Latin}/gu,
  /(?:(?![A-Za-z])\p{Script=Latin}){2}/gu,
  /ς\p{L}/gu,
];

function unlikeliness(text: string): number {
  return UNLIKELY.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
}

const decode = (body: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(body);

/** Without a mark: times and line ends are ASCII, so nearly every second byte at the beginning is 0. */
function utf16Of(body: Uint8Array): string | undefined {
  const beginning = body.subarray(0, 64);
  const zeros = (parity: number): number => beginning.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) < beginning.length / 4 || Math.min(even, odd) > 0) return undefined;
  return even > odd ? "utf-16be" : "utf-16le";
}

/** @returns the decoder's name of what is stated; undefined for a name that it does not know */
function known(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @returns what texts in the language were encoded in, most exact first; none for a language of Western Europe */
function ownEncodings(language: string): readonly string[] {
  const names = (languages: string): readonly string[] => languages.toLowerCase().split(" ");
  const tag = language.toLowerCase();
  const subtags = tag.split(/[-._]/);
  const whole = BY_LANGUAGE.filter(([, languages]) =>
    names(languages).some((name) => name.includes("-") && `${tag}-`.startsWith(`${name}-`)),
  );
  const primary = BY_LANGUAGE.filter(([, languages]) => names(languages).includes(subtags[0] ?? ""));
  return [...whole, ...primary].map(([encoding]) => encoding);
}

function guess(body: Uint8Array, language: string): string {
  const sample = body.subarray(0, SAMPLE_BYTES);
  const own = ownEncodings(language);
  const ranked = [...new Set([...own, ...USUAL])].map((encoding) => ({
    encoding,
    unlikely: unlikeliness(decode(sample, encoding)) * (own.includes(encoding) ? OWN_WEIGHT : 1),
  }));
  return ranked.toSorted((one, other) => one.unlikely - other.unlikely)[0]?.encoding ?? "windows-1252";
}

/** A file with a few broken bytes is still UTF-8: chance does not make many sequences that are valid. */
function isUtf8(text: string): boolean {
  const foreign = text.match(/[^\u0000-\u007f]/gu)?.length ?? 0; // oxlint-disable-line no-control-regex
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  return foreign >= 10 * broken;
}

/**
 * @param contentType header of the answer
 * @param language of the text, as the site names it
 */
export function decodeText(body: Uint8Array, contentType: string | undefined, language: string): string {
  const marked = MARKS.find(([, bytes]) => bytes.every((byte, at) => body[at] === byte))?.[0] ?? utf16Of(body);
  if (marked) return decode(body, marked);
  const asUtf8 = decode(body, "utf-8");
  if (isUtf8(asUtf8)) return asUtf8;
  const xmlEncoding = /^<\?xml[^>]{0,200}encoding=["']([\w-]{1,40})/.exec(asUtf8)?.[1];
  const stated = [/charset=\s*["']?([\w:.-]{1,40})/i.exec(contentType ?? "")?.[1], xmlEncoding].map(known);
  const encoding = stated.find((name) => name !== undefined && !DEFAULTS.has(name));
  return decode(body, encoding ?? guess(body, language));
}
