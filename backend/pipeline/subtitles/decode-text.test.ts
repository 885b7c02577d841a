import { expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

/** Writes a text in an encoding of one byte for each character. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f);
}

const srt = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;
const UTF16 = Buffer.from(srt("Привет 😀"), "utf16le");

it.each<[string, string, string]>([
  ["windows-1251", "ru", "Привет, мир! «Ёлка» — да"],
  ["windows-1251", "en", "Привет, мир! «Ёлка» — да"],
  ["windows-1251", "und", "Добрый день"],
  ["windows-1251", "uk", "Їжак і ґанок"],
  ["windows-1250", "pl", "Zażółć gęślą jaźń, łódź"],
  ["windows-1250", "en", "Dziękuję, już idę, mąż"],
  ["windows-1250", "cs-CZ", "Příliš žluťoučký kůň úpěl ďábelské ódy"],
  ["windows-1250", "sr-Latn", "Čaša žute vode, đak"],
  ["windows-1252", "de", "Grüße aus Köln, „ja“ – Öl"],
  ["windows-1252", "fr", "Où êtes-vous ? « Là-bas », cœur d'été"],
  ["windows-1252", "ru", "C'est l'été à Malmö, où êtes-vous"],
  ["windows-1253", "el", "Καλημέρα σας, τι κάνετε;"],
  ["windows-1253", "en", "Καλημέρα σας, τι κάνετε;"],
  ["windows-1254", "tr", "İyi günler, şöyle ağaç"],
  ["windows-1255", "he", "שלום עולם"],
  ["windows-1255", "iw", "שלום עולם"],
  ["windows-1256", "ar", "مرحبا بالعالم، كيف الحال؟"],
  ["windows-1257", "lv", "Glāžšķūņa rūķīši"],
])("guesses %s for a text in %s", (encoding, language, text) => {
  expect(decodeText(encoded(srt(text), encoding), "text/plain", language)).toBe(srt(text));
});

it.each<[string, Uint8Array, string | undefined, string]>([
  [
    "UTF-16 with a mark, little end first",
    Buffer.concat([Uint8Array.of(0xff, 0xfe), UTF16]),
    undefined,
    srt("Привет 😀"),
  ],
  [
    "UTF-16 with a mark, big end first",
    Buffer.concat([Uint8Array.of(0xff, 0xfe), UTF16]).swap16(),
    "text/vtt; charset=utf-8",
    srt("Привет 😀"),
  ],
  ["UTF-16 without a mark", UTF16, undefined, srt("Привет 😀")],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${srt("né")}`), "text/plain; charset=windows-1251", srt("né")],
  ["UTF-8 that is said to be another", Buffer.from(srt("Привет")), "text/plain; charset=windows-1251", srt("Привет")],
  [
    "UTF-8 with a broken byte",
    Buffer.concat([Buffer.from(srt("Привет, мир")), Uint8Array.of(0xd0)]),
    undefined,
    `${srt("Привет, мир")}\ufffd`,
  ],
  ["what the header names", encoded(srt("Ďábel"), "windows-1250"), 'text/plain; charset="Windows-1250"', srt("Ďábel")],
  [
    "another than the default of a server",
    encoded(srt("Привет"), "windows-1251"),
    "text/plain; charset=ISO-8859-1",
    srt("Привет"),
  ],
  [
    "another than the UTF-8 of a server",
    encoded(srt("Привет"), "windows-1251"),
    "text/vtt; charset=utf-8",
    srt("Привет"),
  ],
  [
    "what XML names",
    encoded('<?xml version="1.0" encoding="windows-1251"?><tt>Да</tt>', "windows-1251"),
    undefined,
    '<?xml version="1.0" encoding="windows-1251"?><tt>Да</tt>',
  ],
  [
    "nothing strange for a header nobody knows",
    encoded(srt("né"), "windows-1252"),
    "text/plain; charset=x-own",
    srt("né"),
  ],
  ["no bytes", new Uint8Array(), undefined, ""],
])("takes %s", (_, body, contentType, text) => {
  expect(decodeText(body, contentType, "en")).toBe(text);
});

it("reads Japanese, Korean and Chinese by their language", () => {
  expect(decodeText(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), undefined, "ja")).toBe("日本");
  expect(decodeText(Uint8Array.of(0xc7, 0xd1, 0xb1, 0xdb), undefined, "ko-KR")).toBe("한글");
  expect(decodeText(Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4), undefined, "zh-Hans")).toBe("中文");
  expect(decodeText(Uint8Array.of(0xa4, 0xa4, 0xa4, 0xe5), undefined, "zh-TW")).toBe("中文");
});
