import { describe, expect, it } from "vitest";
import { FrameGroup, FrameSplitter, FrameWindow } from "./frame-group.ts";

const RATE_INDEX = { 128: 9, 320: 14 } as const;

/** A frame of MPEG-1 Layer III at 44.1 kHz in stereo whose last byte is `mark`. */
function frameOf(mark: number, kbps: keyof typeof RATE_INDEX, isPadded: boolean): Buffer {
  const bytes = Buffer.alloc(Math.floor((144_000 * kbps) / 44_100) + (isPadded ? 1 : 0));
  bytes.writeUInt32BE((0xff_fb_00_00 | (RATE_INDEX[kbps] << 12) | (isPadded ? 0x200 : 0)) >>> 0);
  bytes[bytes.length - 1] = mark;
  return bytes;
}

const stream = [1, 2, 3, 4, 5, 6].map((mark) => frameOf(mark, mark === 4 ? 320 : 128, mark % 2 === 0));
const whole = Buffer.concat(stream);
const marksOf = (groups: readonly (FrameGroup | undefined)[]) =>
  groups.flatMap((group) => group?.frames() ?? []).map(({ bytes }) => bytes.at(-1));

describe("FrameSplitter", () => {
  it.each([1, 7, 417, 1_000, whole.length])(
    "splits a stream into frames of any bit rate and padding, in chunks of %d bytes",
    (chunkBytes) => {
      const splitter = new FrameSplitter();
      const groups = Array.from({ length: Math.ceil(whole.length / chunkBytes) }, (_, index) =>
        splitter.push(whole.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
      );
      expect(Buffer.concat(groups.flatMap((group) => (group ? [group.bytes] : [])))).toEqual(whole);
      expect(marksOf(groups)).toEqual([1, 2, 3, 4, 5, 6]);
    },
  );

  it("buffers an incomplete frame", () => {
    const splitter = new FrameSplitter();
    expect(splitter.push(whole.subarray(0, 400))).toBeUndefined();
    expect(splitter.push(whole.subarray(400, 500))?.frameCount).toBe(1);
  });

  it("throws RangeError for data that is not a frame", () => {
    expect(() => new FrameSplitter().push(Buffer.concat([whole, Buffer.from("not a frame")]))).toThrow(RangeError);
  });
});

describe("FrameGroup", () => {
  const group = FrameGroup.of(new FrameSplitter().push(whole)?.frames() ?? []);

  it("slices without copying, and throws RangeError beyond its end", () => {
    expect(group.slice(1, 3).bytes).toEqual(Buffer.concat(stream.slice(1, 3)));
    expect(group.slice(2).slice(1, 2).frame(0)).toMatchObject({ bitrateKbps: 320, isMono: false, sizeBytes: 1_045 });
    expect(() => group.slice(0, 2).frame(2)).toThrow(RangeError);
  });

  it("is taken from the front of a FrameWindow by positions in the stream", () => {
    const window = new FrameWindow(10);
    window.push(group.slice(0, 2));
    window.push(group.slice(2));
    expect(window.end).toBe(16);
    expect(marksOf(window.takeBefore(9))).toEqual([]);
    expect(marksOf(window.takeBefore(13))).toEqual([1, 2, 3]);
    expect(window.frames(0, 15).map(({ bytes }) => bytes.at(-1))).toEqual([4, 5]);
    expect(marksOf(window.takeBefore(99))).toEqual([4, 5, 6]);
  });
});
