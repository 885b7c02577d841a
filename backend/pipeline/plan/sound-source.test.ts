/** What is known of a sound before it is fetched: which rendition is taken, its size, and whether that fits the plan. */
import { describe, expect, it } from "vitest";
import { TIERS, type Tier } from "../../../common/tiers.ts";
import { testInfo } from "../../dev/testing/test-info.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { estimate } from "./estimate.ts";
import { planFetch } from "./fetch-plan.ts";
import type { SoundFormat } from "./sound-bytes.ts";

const MB = 1_000_000;
const HOUR = 3_600;

const sound = (fields: Partial<Rendition> = {}): Partial<Rendition> => ({ hasVideo: false, ...fields });

function chosen(format: SoundFormat, info: VideoInfo, tier: Tier = "pro"): string | undefined {
  const limits = TIERS[tier];
  return planFetch(info, format, limits, limits.maxFileBytes * 4).renditions[0]?.id;
}

describe.each(["original", "flac", "wav"] as const)("the source of %s", (format) => {
  it("is the best sound, without a picture where there is one", () => {
    const info = testInfo(60, sound({ audioBitrateKbps: 64 }), sound({ audioBitrateKbps: 160 }), { heightLines: 1080 });
    expect(chosen(format, info)).toBe("1");
  });

  it("is the sound with its whole loudness range, in the original language", () => {
    const info = testInfo(
      60,
      sound({ id: "140", languagePreference: 10 }),
      sound({ id: "140-drc", languagePreference: 10 }),
      sound({ id: "251", languagePreference: -1 }),
    );
    expect(chosen(format, info)).toBe("140");
  });

  it("is a video where no sound is offered alone: the best one that may be fetched", () => {
    const info = testInfo(
      60,
      { audioBitrateKbps: 128, sizeBytes: 200 * MB },
      { audioBitrateKbps: 192, sizeBytes: 3_000 * MB },
    );
    expect(chosen(format, info)).toBe("0");
  });

  it("is refused where every video is too large to fetch", () => {
    const info = testInfo(60, { sizeBytes: 2_001 * MB });
    expect(() => chosen(format, info)).toThrow("This video is 2001 MB at its source");
  });
});

describe("before it is fetched,", () => {
  it.each([
    ["free", 50 * MB, true],
    ["free", 50 * MB + 1, false],
    ["pro", 500 * MB, true],
    ["pro", 500 * MB + 1, false],
  ] as const)("an original sound on %s of %d bytes fits: %s", (tier, sizeBytes, fits) => {
    const found = estimate(testInfo(60, sound({ sizeBytes })), "original", tier, 4);
    expect(found).toMatchObject(fits ? { fits, sizeBytes } : { fits, sizeBytes: null, error: { code: "too_large" } });
  });

  it("an original sound that does not fit is refused with both sizes", () => {
    expect(estimate(testInfo(60, sound({ sizeBytes: 60 * MB })), "original", "free", 4)).toMatchObject({
      note: "This file would take 60 MB; your plan allows 50 MB. Pro takes up to 500 MB.",
      error: {
        code: "too_large",
        reason: { name: "file_too_large", neededBytes: 60 * MB, maxBytes: 50 * MB, proMaxBytes: 500 * MB },
      },
    });
  });

  // 500 MB in 16 bits: 2,604.17 s at 48 kHz with two channels, 5,668.9 s at 44.1 kHz with one.
  it.each([
    ["48 kHz, two channels", { sampleRateHz: 48_000, channelCount: 2 }, 2_604, 2_605],
    ["44.1 kHz, one channel", { sampleRateHz: 44_100, channelCount: 1 }, 5_668, 5_669],
    ["nothing known but the length", {}, 5_668, 5_669],
  ] as const)("a WAV of %s is refused above 500 MB", (_, shape, fittingSeconds, longerSeconds) => {
    expect(chosen("wav", testInfo(fittingSeconds, sound(shape)))).toBe("0");
    expect(() => chosen("wav", testInfo(longerSeconds, sound(shape)))).toThrow(
      "This file would take 501 MB; your plan allows 500 MB.",
    );
  });

  it("a WAV of two hours is refused with both sizes, and as FLAC it may fit", () => {
    const info = testInfo(2 * HOUR, sound({ sampleRateHz: 48_000, channelCount: 2 }));
    expect(estimate(info, "wav", "pro", 4)).toMatchObject({
      fits: false,
      error: {
        code: "too_large",
        message: "This file would take 1383 MB; your plan allows 500 MB.",
        reason: { name: "file_too_large", neededBytes: 1_382_400_000, maxBytes: 500 * MB, proMaxBytes: null },
      },
    });
    expect(estimate(info, "flac", "pro", 4)).toMatchObject({ fits: true, sizeBytes: null });
  });
});

it("plans disk space for what a WAV or a FLAC may take, and for nothing beside the copy of an original", () => {
  const space = (format: SoundFormat, info: VideoInfo): number | undefined =>
    planFetch(info, format, TIERS.pro, 2_000 * MB).resultBytes;
  const known = testInfo(60, sound({ sampleRateHz: 48_000, channelCount: 2, sizeBytes: MB }));
  expect([space("wav", known), space("flac", known), space("original", known)]).toEqual([
    11_520_000,
    11_520_000,
    undefined,
  ]);
  expect([space("wav", testInfo(undefined, sound())), space("flac", testInfo(2 * HOUR, sound()))]).toEqual([
    500 * MB,
    500 * MB,
  ]);
});

describe("the estimate", () => {
  const known = sound({ sampleRateHz: 48_000, channelCount: 2, sizeBytes: MB });
  it.each([
    ["original", MB],
    ["flac", 6_912_000],
    ["wav", 11_520_000],
  ] as const)("of %s has its size", (format, sizeBytes) => {
    expect(estimate(testInfo(60, known), format, "pro", 4)).toMatchObject({ fits: true, note: null, sizeBytes });
  });

  it("of a sound within a video has the share of the sound, where its bit rate is known", () => {
    const info = testInfo(60, { sizeBytes: 30 * MB, audioBitrateKbps: 128 });
    expect(estimate(info, "original", "free", 4)).toMatchObject({ fits: true, sizeBytes: 960_000 });
    expect(estimate(testInfo(60, { sizeBytes: 30 * MB }), "original", "free", 4)).toMatchObject({ sizeBytes: null });
  });

  it("has no size where the length is unknown, or the usual shape would not fit and the shape is unknown", () => {
    expect(estimate(testInfo(undefined, sound()), "wav", "pro", 4)).toMatchObject({ fits: true, sizeBytes: null });
    expect(estimate(testInfo(HOUR, sound()), "wav", "pro", 4)).toMatchObject({ fits: true, sizeBytes: null });
  });

  it.each(["flac", "wav"] as const)("of %s says to the free plan that Pro has it", (format) => {
    expect(estimate(testInfo(60, known), format, "free", 4)).toMatchObject({
      quality: "lossless",
      fits: false,
      error: { code: "pro_required", reason: { name: "format_for_pro", format } },
    });
  });

  it("of a video without sound says so in every format and on every plan", () => {
    const info = testInfo(60, { hasAudio: false, hasVideo: true });
    for (const format of ["original", "flac", "wav"] as const)
      for (const tier of ["free", "pro"] as const)
        expect(estimate(info, format, tier, 4)).toMatchObject({ fits: false, error: { code: "unavailable" } });
  });
});
