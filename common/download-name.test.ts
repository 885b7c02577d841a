import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { downloadName } from "./download-name.ts";

it.each([
  ["Rain on a tin roof", "Rain on a tin roof.mp3"],
  ["été à Malmö 🌧️ صوت קול", "été à Malmö 🌧️ صوت קול.mp3"],
  ['Before/After: "x" \\ <live?> | 50%*', "Before_After_ _x_ _ _live__ _ 50%_.mp3"],
  ["../../etc/passwd", "_.._etc_passwd.mp3"],
  ["A: part one", "A_ part one.mp3"],
  ["..", "video.mp3"],
  ["  spaced \t out \n ", "spaced out.mp3"],
  [".hidden", "hidden.mp3"],
  ["ends in dots...", "ends in dots.mp3"],
  ["ends in both. . .", "ends in both.mp3"],
  ["", "video.mp3"],
  ["???", "video.mp3"],
  ["\u0301", "video.mp3"],
  ["\u0000\u0007\u009f", "video.mp3"],
  ["\u200b\u200d\ufeff\u3164", "video.mp3"],
  ["song\u202e3pm.exe", "song3pm.exe.mp3"],
  ["a\u200eb\u200fc\u061cd\u2066e\u2069f\u00adg\u200bh\ufeffi\u2060j\u200dk\ufff9l", "abcdefghijkl.mp3"],
  ["half \ud83d a pair", "half a pair.mp3"],
  ["cafe\u0301", "caf\u00e9.mp3"],
  ["می\u200cخواهم", "می\u200cخواهم.mp3"],
  ["क्\u200dष", "क्\u200dष.mp3"],
  [
    "👩🏽\u200d🚀 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤\ufe0f",
    "👩🏽\u200d🚀 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤\ufe0f.mp3",
  ],
  ["x\u{e0067}\u{e007f}", "x.mp3"],
])("%j is saved as %j", (title, name) => {
  expect(downloadName(title, "mp3")).toBe(name);
});

describe("a device name of Windows", () => {
  it.each(["CON", "con", "Prn", "AUX", "nul", "COM1", "com9", "LPT1", "lpt\u00b2", "CONIN$"])(
    "%s gets an underscore",
    (title) => {
      expect(downloadName(title, "mp4")).toBe(`${title}_.mp4`);
    },
  );
  it.each([
    ["con.live", "con_.live.mp3"],
    ["NUL .x", "NUL_ .x.mp3"],
    ["CON:", "CON_.mp3"],
    [" aux. ", "aux_.mp3"],
    ["Con Air", "Con Air.mp3"],
    ["Console", "Console.mp3"],
    ["COM10", "COM10.mp3"],
  ])("%j is saved as %j", (title, name) => {
    expect(downloadName(title, "mp3")).toBe(name);
  });
});

describe("a long title", () => {
  it.each([
    ["of plain letters", "a".repeat(500), 251],
    ["of letters of two bytes", "é".repeat(300), 250],
    ["of letters of three bytes", "語".repeat(300), 249],
    ["of emoji with several code points", "👩🏽\u200d🚀".repeat(40), 240],
    ["of letters with marks", "x\u0323\u0307".repeat(100), 250],
    ["whose last letter would be followed by a joiner", `${"a".repeat(243)}語\u0301\u200d${"a".repeat(7)}`, 248],
    ["that would end with a space", `${"a".repeat(250)} b`, 250],
    ["whose first letter alone is too long", `a${"\u0301".repeat(300)}`, 5],
  ])("%s is cut between graphemes", (_, title, stemBytes) => {
    const name = downloadName(title, "mp4");
    expect(name.endsWith(".mp4")).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name) - ".mp4".length).toBe(stemBytes);
    expect(name).not.toContain("\ufffd");
  });
});

const anyTitle = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400, size: "max" }),
  fc.string({ unit: "binary", maxLength: 400, size: "max" }),
  fc
    .array(
      fc.constantFrom(
        "CON",
        "nul",
        ".",
        " ",
        "\u202e",
        "\u200d",
        "\u0301",
        "\ufe0f",
        "👩🏽\u200d🚀",
        "é",
        "語",
        "/",
        ":",
        "a",
        "\ud83d",
        "\u{e0067}",
        "\u1100\u1161",
      ),
      { maxLength: 300, size: "max" },
    )
    .map((parts) => parts.join("")),
);

it("is valid on every file system and has no invisible characters, for any title", () => {
  fc.assert(
    fc.property(anyTitle, fc.constantFrom("mp3" as const, "mp4" as const), (title, format) => {
      const name = downloadName(title, format);
      const stem = name.slice(0, -`.${format}`.length);
      expect(name.endsWith(`.${format}`)).toBe(true);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name.isWellFormed()).toBe(true);
      expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u);
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\s*\./i);
      expect(stem).toBe(stem.replace(/^[. ]+|[. ]+$/g, ""));
      expect(stem).not.toBe("");
      expect(name).toBe(name.normalize("NFC"));
      expect(downloadName(stem, format)).toBe(name);
    }),
    // Shorter titles of the same fault would be looked for during many minutes.
    { numRuns: 1_000, endOnFailure: true, examples: [["CON\u0301\u200dCON", "mp3"]] },
  );
});
