/** The usual ways to make an MP3, once each; mp3-paths.full.test.ts has all of them, at their limits. */
import { expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { borderSamples, inSamples, Mp3Maker } from "../../dev/testing/sound/mp3-maker.ts";

const maker = await ofFile(Mp3Maker.open());

it("joins two pieces of AAC without a seam, and encodes a sound that is shorter than a piece", async () => {
  expect(await maker.faultsOf("m4a", [{ sampleCount: borderSamples(1) }, { sampleCount: inSamples(0.3) }])).toEqual([]);
});

it.each(["webm opus", "webm vorbis"] as const)("encodes a source of %s from its complete file", async (container) => {
  expect(await maker.faultsOf(container, [{ sampleCount: inSamples(1), isComplete: true }])).toEqual([]);
});
