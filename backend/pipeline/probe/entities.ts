/** Decodes the character references of HTML and XML in texts that sites serve. Pure. */

/** The names of U+00A0 to U+00FF in HTML, in their order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro " +
  "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil " +
  "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave " +
  "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
  "thorn yuml";

/** Other names that texts have; the rest of HTML's two thousand are signs of mathematics above all. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(" ").map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ["amp", "&"],
  ["AMP", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["QUOT", '"'],
  ["apos", "'"],
  ["lrm", "\u200e"],
  ["rlm", "\u200f"],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
  ["hellip", "…"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["sbquo", "‚"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bdquo", "„"],
  ["lsaquo", "‹"],
  ["rsaquo", "›"],
  ["bull", "•"],
  ["trade", "™"],
  ["euro", "€"],
  ["OElig", "Œ"],
  ["oelig", "œ"],
  ["Scaron", "Š"],
  ["scaron", "š"],
]);

const REFERENCE = /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z][A-Za-z0-9]{1,7}));/g;

/** As in HTML, numbers of C1 control characters mean those that windows-1252 has there. */
const windows1252 = new TextDecoder("windows-1252");

function characterOf(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  return code >= 0x80 && code <= 0x9f ? windows1252.decode(Uint8Array.of(code)) : String.fromCodePoint(code);
}

function decodeOnce(text: string): string {
  return text.replaceAll(REFERENCE, (reference, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? reference;
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/**
 * Decodes the references, and once more where a site has escaped its text twice. A text with "&lt;" or "&gt;" was
 * escaped once, so its "&amp;lt;" stays the text "&lt;".
 */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  const decoded = decodeOnce(text);
  return /&[lg]t;/.test(text) ? decoded : decodeOnce(decoded);
}
