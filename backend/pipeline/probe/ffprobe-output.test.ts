import { describe, expect, it } from "vitest";
import { parseFfprobeOutput } from "./ffprobe-output.ts";

const FORMAT = { format_name: "matroska,webm", start_time: "1.4", duration: "8" };
const sound = (index: number, more: object = {}) => ({
  index,
  codec_type: "audio",
  codec_name: "aac",
  channels: 2,
  ...more,
});
const picture = (index: number, more: object = {}) => ({
  index,
  codec_type: "video",
  codec_name: "h264",
  width: 320,
  height: 180,
  avg_frame_rate: "10/1",
  ...more,
});
const parse = (streams: readonly object[], format: object = {}) =>
  parseFfprobeOutput(JSON.stringify({ format: { ...FORMAT, ...format }, streams }));

describe("of several streams", () => {
  const DEFAULT = { disposition: { default: 1 } };
  it.each([
    ["the first", [sound(0), sound(1)], 0],
    ["the default one", [sound(0), sound(1, DEFAULT)], 1],
    ["the first default one", [sound(0), sound(1, DEFAULT), sound(2, DEFAULT)], 1],
    ["no description of the picture", [sound(0, { disposition: { default: 1, visual_impaired: 1 } }), sound(1)], 1],
    [
      "none that is named as a description",
      [sound(0, { tags: { title: "English (Audio Description)" } }), sound(1)],
      1,
    ],
    ["no comment on the video", [sound(0, { tags: { handler_name: "Director's commentary" } }), sound(1)], 1],
    ["a description where there is nothing else", [sound(0, { disposition: { visual_impaired: 1 } })], 0],
    ["one whose channels are known", [sound(0, { channels: 0 }), sound(1)], 1],
  ])("takes %s", (_, streams, index) => {
    expect(parse(streams).audio?.index).toBe(index);
  });
  it("takes the default picture, and never a cover", () => {
    expect(parse([picture(0), picture(1, DEFAULT)]).video?.index).toBe(1);
    expect(parse([picture(0, { disposition: { attached_pic: 1, default: 1 } }), picture(1)]).video?.index).toBe(1);
  });
});

it.each([{ channels: 0 }, { profile: "xHE-AAC" }])("knows of a sound that ffmpeg does not read: %o", (unreadable) => {
  expect(parse([picture(0), sound(1, unreadable)])).toMatchObject({ audio: undefined, unreadableSound: 1 });
  expect(parse([sound(0, unreadable), sound(1)])).toMatchObject({ audio: { index: 1 }, unreadableSound: undefined });
});

it.each([
  ["1.45", undefined],
  ["3.4", 2],
])("tells how much later than the file its sound begins: %s", (start, seconds) => {
  const { lateSeconds } = parse([sound(0, { start_time: start })]).audio ?? {};
  expect(lateSeconds === undefined ? undefined : Math.round(lateSeconds)).toBe(seconds);
});

it.each([
  ["a picture that moves", { avg_frame_rate: "10/1" }, undefined],
  ["one that pauses", { avg_frame_rate: "9/1" }, true],
  ["one whose size was not found", { width: 0, height: 0, avg_frame_rate: "0/0" }, true],
])("knows of the slides of a transport stream: %s", (_, more, hasSlides) => {
  expect(parse([picture(0, more), sound(1)], { format_name: "mpegts" }).hasSlides).toBe(hasSlides);
  expect(parse([picture(0, more), sound(1)]).hasSlides).toBeUndefined();
  expect(parse([sound(1)], { format_name: "mpegts" }).hasSlides).toBeUndefined();
});

it.each([
  ["tt", "tff"],
  ["bt", "tff"],
  ["bb", "bff"],
  ["progressive", undefined],
  ["unknown", undefined],
])("reads the order of fields %s", (order, first) => {
  expect(parse([picture(0, { field_order: order })]).video?.firstField).toBe(first);
});

it.each([
  ["dvvideo", 576, "bff"],
  ["dvvideo", 480, "bff"],
  // 720p of DVCPRO HD.
  ["dvvideo", 720, undefined],
  ["h264", 576, undefined],
])("knows the order of fields of tapes: %s with %s lines", (codec, height, first) => {
  expect(parse([picture(0, { codec_name: codec, height, field_order: "unknown" })]).video?.firstField).toBe(first);
});

it.each([
  ["webp_pipe", "webp", "0.04", true],
  ["jpeg_pipe", "mjpeg", "0.04", true],
  ["gif", "gif", "0.1", true],
  ["gif", "gif", "2", undefined],
  ["avi", "mjpeg", "2", undefined],
])("tells a picture from a video: %s with %s of %s s", (format, codec, duration, isPicture) => {
  const media = parse([picture(0, { codec_name: codec })], { format_name: format, duration });
  expect([media.isPicture, media.video === undefined]).toEqual([isPicture, isPicture === true]);
});
