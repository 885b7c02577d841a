import { expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import type { MediaFile } from "../probe/media-file.ts";
import { checkTape, planTape, tapeBytes } from "./plan-tape.ts";

const LIMITS = TIERS.pro;

const song = (sampleRateHz: number, channelCount = 2): MediaFile => ({
  path: "song",
  container: "mp3",
  sizeBytes: 1,
  hasAttachedPicture: false,
  audio: { index: 0, codec: "mp3", sampleRateHz, channelCount },
});

it.each([
  ["that all have", [48_000, 48_000], 48_000],
  ["that is the highest", [32_000, 44_100, 48_000, 44_100], 48_000],
  ["that the format has", [96_000, 44_100], 44_100],
  ["of a CD where none is of the format", [22_050, 96_000], 44_100],
])("takes the rate %s", (_, rates, sampleRateHz) => {
  expect(
    planTape(
      "mp3",
      rates.map((rate) => song(rate)),
      LIMITS,
    ),
  ).toMatchObject({ sampleRateHz });
});

it.each([
  [[1, 1], 1],
  [[1, 2], 2],
  [[6, 1], 2],
])("makes of songs with %j channels a tape with %i", (counts, channelCount) => {
  const songs = counts.map((count) => song(44_100, count));
  expect(planTape("original", songs, LIMITS)).toMatchObject({ channelCount });
});

it("gives an MP3 the bit rate of the plan, and an M4A one that loses hardly anything", () => {
  expect(planTape("mp3", [song(44_100)], TIERS.free).bitrateKbps).toBe(128);
  expect(planTape("mp3", [song(44_100)], LIMITS).bitrateKbps).toBe(320);
  expect(planTape("original", [song(44_100)], LIMITS).bitrateKbps).toBe(256);
});

it("takes as many seconds as the plan, and not one more", () => {
  const most = LIMITS.maxDurationSeconds;
  expect(() => checkTape("mp3", most, LIMITS)).not.toThrow();
  expect(() => checkTape("mp3", most + 1, LIMITS)).toThrow(
    expect.objectContaining({
      code: "too_long",
      reason: { name: "longer_than_plan", maxSeconds: most, proMaxSeconds: null },
    }),
  );
});

it.each(["mp3", "original"] as const)("takes as many bytes of %s as the plan, and not one more", (format) => {
  const neededBytes = tapeBytes(format, 60, LIMITS);
  expect(() => checkTape(format, 60, { ...LIMITS, maxFileBytes: neededBytes })).not.toThrow();
  const maxFileBytes = neededBytes - 1;
  expect(() => checkTape(format, 60, { ...LIMITS, maxFileBytes })).toThrow(
    expect.objectContaining({
      code: "too_large",
      reason: expect.objectContaining({ neededBytes, maxBytes: maxFileBytes }),
    }),
  );
});
