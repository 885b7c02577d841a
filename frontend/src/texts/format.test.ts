import { describe, expect, it } from "vitest";
import { createFormats } from "./format.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";

const format = createFormats("en", en.figures);

describe("figures", () => {
  it.each([
    [2_834_112, "2.8 MB"],
    [49_999_999, "50.0 MB"],
    [99_999, "100 kB"],
    [100_000, "0.1 MB"],
    [40, "1 kB"],
    [0, "0.0 MB"],
  ])("formats %d bytes as %s", (sizeBytes, text) => expect(format.fileSize(sizeBytes)).toBe(text));

  it.each([
    [200_000, "200 kB/s"],
    [2_430_000, "2.4 MB/s"],
  ])("formats a speed of %d bytes per second as %s", (speed, text) => expect(format.speed(speed)).toBe(text));

  it.each([
    [0, "1 s left"],
    [3.2, "3 s left"],
    [130, "2 min left"],
    [3_900, "1 h 5 min left"],
    [7_200, "2 h left"],
  ])("formats a time left of %d seconds as %s", (seconds, text) => expect(format.timeLeft(seconds)).toBe(text));

  it.each([
    [252, "4:12"],
    [9_067, "2:31:07"],
    [9.6, "0:10"],
  ])("formats a duration of %d seconds as %s", (seconds, text) => expect(format.clock(seconds)).toBe(text));

  it.each([
    [252, "4 minutes, 12 seconds"],
    [7_200, "2 hours"],
    [0.4, "1 second"],
  ])("formats a spoken duration of %d seconds as %s", (seconds, text) =>
    expect(format.spokenLength(seconds)).toBe(text),
  );

  it("separates a bit rate from its unit and does not change a picture height", () => {
    expect(format.quality("128kbps")).toBe("128 kbps");
    expect(format.quality("480p")).toBe("480p");
  });

  it.each([
    [1_200, "20 minutes"],
    [7_200, "2 hours"],
    [3_600, "1 hour"],
    [604_800, "7 days"],
  ])("formats a span of %d seconds as %s", (seconds, text) => expect(format.span(seconds)).toBe(text));
});

describe("relative time", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  it.each([
    ["2026-01-01T12:52:40Z", "in 52 minutes"],
    ["2026-01-01T12:01:00Z", "in 1 minute"],
    ["2026-01-01T12:00:40Z", "in 40 seconds"],
    ["2026-01-08T12:00:00Z", "in 7 days"],
    ["2026-01-01T09:00:00Z", "3 hours ago"],
  ])("formats %s at noon as %s, rounded down", (iso, text) => expect(format.relativeTime(iso, now)).toBe(text));
});

describe("other languages", () => {
  it("formats numbers, prices and dates as in the language", () => {
    const german = createFormats("de", de.figures);
    expect(german.fileSize(2_834_112)).toBe("2,8 MB");
    expect(german.dollars(9)).toMatch(/^9\s\$$/);
    expect(german.dollars(7.5)).toMatch(/^7,50\s\$$/);
    expect(german.span(604_800)).toBe("7 Tage");
    expect(german.timeLeft(130)).toBe("noch 2 min");
    expect(german.date("2025-07-25")).toBe("25. Juli 2025");
  });

  it.each([
    [{ format: "mp3", quality: "320kbps" }, "MP3 · 320 kbps"],
    [{ format: "original", quality: "original", fileKind: "m4a" }, "M4A · original"],
    [{ format: "original", quality: "original", fileKind: "opus" }, "Opus · original"],
    [{ format: "original", quality: "original", fileKind: "wv" }, "WavPack · original"],
    [{ format: "original", quality: "original" }, "original sound"],
    [{ format: "flac", quality: "lossless" }, "FLAC · lossless"],
    [{ format: "wav", quality: "lossless" }, "WAV · lossless"],
    [{ format: "transcript", quality: "text" }, "SRT"],
    [
      { format: "transcript", quality: "text", subtitleLanguage: "en", choices: { subtitles: { as: "vtt" } } },
      "VTT · en",
    ],
  ] as const)("names what a file is: %o is %s", (job, name) => {
    expect(createFormats("en", en.figures).kind(job)).toBe(name);
  });

  it("words the quality of a sound in the page's language beside its Latin name", () => {
    const job = { format: "original", quality: "original", fileKind: "m4a" } as const;
    expect(createFormats("ar", ar.figures).kind(job)).toBe("\u2066M4A\u2069 · أصلي");
    expect(createFormats("de", de.figures).kind({ format: "wav", quality: "lossless" })).toBe("WAV · verlustfrei");
  });

  it("isolates Latin terms in right-to-left text", () => {
    const arabic = createFormats("ar", ar.figures);
    expect(arabic.quality("128kbps")).toBe("\u2066128 kbps\u2069");
    expect(
      createFormats("en", en.figures).kind({
        format: "mp3",
        quality: "128kbps",
        choices: { part: { startSeconds: 62, endSeconds: 185.4 } },
      }),
    ).toBe("MP3 · 128 kbps · 1:02–3:05");
    const perChapter = { format: "mp3", quality: "320kbps", choices: { chapterFiles: true } } as const;
    expect(createFormats("en", en.figures).kind(perChapter)).toBe("MP3 · 320 kbps · ZIP");
    expect(arabic.kind({ format: "mp3", quality: "128kbps" })).toBe("\u2066MP3 · 128 kbps\u2069");
    expect(arabic.percent(41.7)).toBe("41٪");
  });
});
