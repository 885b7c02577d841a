/** Joins streams that real encoders made of one sound, and compares the decoded result. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ffmpeg, words } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { FrameSplitter } from "./frame-group.ts";
import { readFrameHeader, type Frame } from "./mp3-frame.ts";
import { bridgeAt, bridgeBitrateKbps, spliceAt } from "./splice.ts";

const FROM = 60;
const TO = 100;
const folder = await testFolder();
let first: Frame[];
let second: Frame[];
let bridge: Frame[];

async function encode(name: string, kbps: number, ...more: string[]): Promise<Frame[]> {
  const path = join(folder, name);
  const bare = words("-write_xing 0 -id3v2_version 0 -write_id3v1 0");
  await ffmpeg("-i", join(folder, "sound.wav"), ...words(`-c:a libmp3lame -b:a ${kbps}k`), ...more, ...bare, path);
  return new FrameSplitter().push(await readFile(path))?.frames() ?? [];
}

async function decode(frames: readonly Frame[], name: string): Promise<Float32Array> {
  const path = join(folder, name);
  await writeFile(path, Buffer.concat(frames.map(({ bytes }) => bytes)));
  const { stderr } = await ffmpeg("-f", "mp3", "-i", path, "-f", "f32le", `${path}.f32`);
  expect(stderr).toBe("");
  const bytes = await readFile(`${path}.f32`);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

beforeAll(async () => {
  // Sound without a pause, so that an encoder with a bit reservoir always uses it.
  const sound =
    "0.25*sin(2*PI*220*t+3*sin(0.7*t))+0.2*sin(2*PI*331*t)+0.1*(random(0)-0.5)" +
    "|0.25*sin(2*PI*277*t)+0.1*(random(1)-0.5)";
  await ffmpeg("-f", "lavfi", "-i", `aevalsrc='${sound}':s=44100:d=4`, join(folder, "sound.wav"));
  [first, second, bridge] = await Promise.all([
    encode("first.mp3", 128, "-reservoir", "0"),
    encode("second.mp3", 128),
    encode("bridge.mp3", bridgeBitrateKbps(128), "-reservoir", "0"),
  ]);
});

describe("a stream whose frames need more reservoir bytes than the other stream leaves", () => {
  it("cannot be spliced directly", () => {
    expect(second.slice(FROM, TO).every(({ reservoirBytes }) => reservoirBytes > 0)).toBe(true);
    expect(spliceAt(first, second, FROM, TO)).toBeUndefined();
  });

  it("is joined by a bridge of a few frames, written into frames of the same bit rate", () => {
    const splice = bridgeAt(first, second, bridge, FROM, TO);
    expect(splice?.before.length).toBe(splice?.position);
    expect(splice?.position).toBeGreaterThan(FROM);
    expect(splice?.position).toBeLessThan(TO);
    for (const [index, frame] of (splice?.before ?? []).entries()) {
      expect(frame.bytes.length).toBe(first[index]?.bytes.length);
      expect(readFrameHeader(frame.bytes)).toMatchObject({ bitrateKbps: 128, sizeBytes: frame.bytes.length });
      expect(frame.reservoirBytes).toBe(readFrameHeader(frame.bytes)?.reservoirBytes);
    }
  });

  it("decodes to identical samples before and after the bridge, and to similar ones within it", async () => {
    const splice = bridgeAt(first, second, bridge, FROM, TO);
    if (!splice) throw new TypeError("the streams were not joined");
    const [joined, one, other] = await Promise.all([
      decode([...splice.before, ...second.slice(splice.position)], "joined.mp3"),
      decode(first, "first-again.mp3"),
      decode(second, "second-again.mp3"),
    ]);
    expect(joined.length).toBe(other.length);
    const samples = (frames: number): number => frames * 1_152 * 2;
    expect(joined.slice(0, samples(FROM - 2))).toEqual(one.slice(0, samples(FROM - 2)));
    expect(joined.slice(samples(splice.position + 2))).toEqual(other.slice(samples(splice.position + 2)));
    let error = 0;
    let energy = 0;
    for (let index = samples(FROM - 2); index < samples(splice.position + 2); index += 1) {
      error += ((joined[index] ?? 0) - (other[index] ?? 0)) ** 2;
      energy += (other[index] ?? 0) ** 2;
    }
    expect(error / energy).toBeLessThan(0.01);
  });

  it("is not joined within a single frame, or by a bridge with a bit reservoir", () => {
    expect(bridgeAt(first, second, bridge, FROM, FROM + 1)).toBeUndefined();
    expect(bridgeAt(first, second, second, FROM, TO)).toBeUndefined();
  });
});

it("throws RangeError for a bridge below the lowest bit rate", () => {
  expect(bridgeBitrateKbps(320)).toBe(256);
  expect(() => bridgeBitrateKbps(32)).toThrow(RangeError);
});
