import { expect, it } from "vitest";
import { isForSpeakers, mixDown } from "./mix-down.ts";

const SURROUND = "aformat=sample_fmts=fltp:channel_layouts=stereo";

it.each([
  [6, "5.1", true, SURROUND],
  [6, undefined, true, SURROUND],
  [24, "22.2", true, SURROUND],
  [9, undefined, false, "pan=stereo|c0=c0|c1=c1"],
  [4, "ambisonic 1", false, "pan=stereo|c0=c0|c1=c0"],
  [6, "ambisonic 1+stereo", false, "pan=stereo|c0=c0+c4|c1=c0+c5"],
  [16, "ambisonic 3", false, "pan=stereo|c0=c0|c1=c0"],
])("mixes %i channels (%s) down", (channelCount, layout, areForSpeakers, filter) => {
  const stream = { index: 0, codec: "opus", sampleRateHz: 48_000, channelCount, layout };
  expect([isForSpeakers(stream), mixDown(stream)]).toEqual([areForSpeakers, filter]);
});
