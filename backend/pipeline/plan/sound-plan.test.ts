import { expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import type { Part } from "../../../common/choices.ts";
import type { MediaFile } from "../probe/media-file.ts";
import { planEncode } from "./encode-plan.ts";
import { isCopied, planSound } from "./sound-plan.ts";

function soundOf(durationSeconds: number, bitsPerSample = 16, codec = "aac", lateSeconds?: number): MediaFile[] {
  const audio = { index: 0, codec, channelCount: 2, sampleRateHz: 48_000, durationSeconds, bitsPerSample, lateSeconds };
  return [{ path: "p", sizeBytes: 1, container: "mov,mp4", durationSeconds, audio, hasAttachedPicture: false }];
}

// At 48 kHz with two channels of 16 bits, 500 MB last 2,604.1667 s; with 24 bits two thirds of that.
it.each([
  ["aac", 16, 2_604.16, 2_604.17],
  ["pcm_s24le", 24, 1_736.11, 1_736.12],
] as const)("refuses a WAV above 500 MB once the source is known: %s", (codec, bits, fittingSeconds, longerSeconds) => {
  expect(planEncode("wav", soundOf(fittingSeconds, bits, codec), TIERS.pro)).toMatchObject({ sampleBits: bits });
  expect(() => planEncode("wav", soundOf(longerSeconds, bits, codec), TIERS.pro)).toThrow(
    "This file would take 501 MB; your plan allows 500 MB.",
  );
});

it.each(["original", "flac", "wav"] as const)(
  "refuses %s of a source that is longer than the plan allows",
  (format) => {
    expect(() => planEncode(format, soundOf(7_201), TIERS.pro)).toThrow("Longer than 2 hours");
    expect(planEncode("original", soundOf(7_200), TIERS.pro).durationSeconds).toBe(7_200);
  },
);

it("does not refuse FLAC by the size of its WAV", () => {
  expect(planEncode("flac", soundOf(7_000), TIERS.pro)).toMatchObject({ format: "flac", sampleBits: 16 });
});

it("takes 16 bits for a lossy sound, whatever its decoder gives", () => {
  expect(planEncode("flac", soundOf(60, 32, "opus"), TIERS.pro)).toMatchObject({ sampleBits: 16 });
});

it("begins a copied sound with its first packet, where the file has no times", () => {
  const planOf = (codec: string, part?: Part) => planEncode("original", soundOf(6, 16, codec, 2), TIERS.pro, part);
  expect(planOf("mp3")).toMatchObject({ part: { startSeconds: 2, endSeconds: 8 }, durationSeconds: 6 });
  expect(planOf("mp3", { startSeconds: 1, endSeconds: 7 })).toMatchObject({ durationSeconds: 5 });
  expect(planOf("mp3", { startSeconds: 3, endSeconds: 7 })).toMatchObject({ part: { startSeconds: 3 } });
  expect(planOf("aac")).toMatchObject({ part: undefined, durationSeconds: 8 });
});

it.each(["mp3", "original", "flac"] as const)("refuses a part that ends before the first sound, as %s", (format) => {
  const planOf = (endSeconds: number) =>
    planEncode(format, soundOf(6, 16, "aac", 2), TIERS.pro, { startSeconds: 0.5, endSeconds });
  expect(() => planOf(2)).toThrow("no sound in this part");
  expect(planOf(2.1).durationSeconds).toBeCloseTo(1.6);
});

it.each<[string, Part | undefined, string, boolean]>([
  ["aac", undefined, "m4a", true],
  ["aac", { startSeconds: 1, endSeconds: 3 }, "m4a", true],
  ["flac", undefined, "flac", true],
  // The header of a FLAC is about all of its samples.
  ["flac", { startSeconds: 1, endSeconds: 3 }, "flac", false],
  // Packets may have half a second.
  ["pcm_alaw", undefined, "wav", true],
  ["pcm_alaw", { startSeconds: 1, endSeconds: 3 }, "wav", false],
  ["pcm_s16be", { startSeconds: 1, endSeconds: 3 }, "aiff", false],
  ["wavpack", { startSeconds: 1, endSeconds: 3 }, "wv", false],
  // No container takes their packets.
  ["ape", undefined, "flac", false],
  ["tak", undefined, "flac", false],
  ["adpcm_swf", undefined, "flac", false],
  ["nellymoser", undefined, "flac", false],
  ["tta", undefined, "mka", true],
  ["tta", { startSeconds: 1, endSeconds: 3 }, "flac", false],
  ["speex", undefined, "mka", true],
  ["speex", { startSeconds: 1, endSeconds: 3 }, "flac", false],
  ["gsm_ms", { startSeconds: 1, endSeconds: 3 }, "flac", false],
  ["adpcm_g726", undefined, "mka", true],
  ["adpcm_g726", { startSeconds: 1, endSeconds: 3 }, "flac", false],
  ["mp2", { startSeconds: 1, endSeconds: 3 }, "mka", true],
])("copies the packets of %s in the part %j into %s: %s", (codec, part, fileKind, areCopied) => {
  const plan = planSound("original", soundOf(6, 16, codec), TIERS.pro, part);
  expect(plan).toMatchObject({ fileKind });
  expect(isCopied(plan)).toBe(areCopied);
});
