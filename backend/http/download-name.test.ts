import * as fc from "fast-check";
import { expect, it } from "vitest";
import { downloadName } from "./download-name.ts";

it.each([
  ["Rain on a tin roof", "Rain on a tin roof.mp3"],
  ["été à Malmö 🌧️ صوت קול", "été à Malmö 🌧️ صوت קול.mp3"],
  ["Before/After: \"x\" \\ <live?> | 50%*", "Before_After: \"x\" _ <live?> | 50%*.mp3"],
  ["../../etc/passwd", "_.._etc_passwd.mp3"],
  ["..", "video.mp3"],
  ["  spaced \t out \n ", "spaced out.mp3"],
  [".hidden", "hidden.mp3"],
  ["ends in dots...", "ends in dots.mp3"],
  ["", "video.mp3"],
  ["\u0000\u0007\u009f", "video.mp3"],
  ["song\u202e3pm.exe", "song3pm.exe.mp3"],
])("%j is saved as %j", (title, name) => {
  expect(downloadName(title, "mp3")).toBe(name);
});

it("names no folder and hides nothing, whatever the title", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.constantFrom("mp3" as const, "mp4" as const), (title, format) => {
      const name = downloadName(title, format);
      expect(name).toMatch(new RegExp(`^[^/\\\\\\u0000-\\u001f]+\\.${format}$`));
      expect(name.startsWith(".")).toBe(false);
    }),
    { numRuns: 300 },
  );
});

it("keeps a long title whole", () => {
  const title = "👩🏽‍🚀 صوت ".repeat(40).trim();
  expect(downloadName(title, "mp4")).toBe(`${title}.mp4`);
});
