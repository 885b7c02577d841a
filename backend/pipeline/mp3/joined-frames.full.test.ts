/** Joins pieces of real encoders that pad other frames, as lanes do that have encoded other pieces before. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { FrameSplitter, type FrameGroup } from "./frame-group.ts";
import { encodedFrames, FrameSizes } from "./frame-sizes.ts";
import { JoinedFrames, SEARCH_FRAMES, WARM_UP_FRAMES, type JoinAim } from "./joined-frames.ts";
import { SAMPLES_PER_FRAME } from "./mp3-frame.ts";
import { bridgeBitrateKbps } from "./splice.ts";

const SAMPLES = 170_000;
const FRAMES = encodedFrames(SAMPLES);
const BOUNDARY = 64;
const START = BOUNDARY - WARM_UP_FRAMES;
const END = BOUNDARY + SEARCH_FRAMES;
const folder = await testFolder();

beforeAll(async () => {
  const sound =
    "0.25*sin(2*PI*220*t+3*sin(0.7*t))+0.1*(random(0)-0.5)*gt(mod(t\\,1)\\,0.5)|0.25*sin(2*PI*277*t)*lt(mod(t\\,1)\\,0.3)";
  const cut = ["-af", `atrim=end_sample=${SAMPLES}`];
  await ffmpeg("-f", "lavfi", "-i", `aevalsrc='${sound}':s=44100:d=4`, ...cut, join(folder, "sound.wav"));
});

/** @param delayFrames what the encoder gets before the sound; their frames are left out */
async function encode(kbps: number, delayFrames: number, ...args: string[]): Promise<FrameGroup> {
  const path = join(folder, `${kbps}-${delayFrames}.mp3`);
  const delay = ["-af", `adelay=delays=${delayFrames * SAMPLES_PER_FRAME}S:all=1`];
  const bare = ["-write_xing", "0", "-id3v2_version", "0", "-write_id3v1", "0"];
  const codec = ["-c:a", "libmp3lame", "-b:a", `${kbps}k`];
  await ffmpeg("-i", join(folder, "sound.wav"), ...delay, ...codec, ...args, ...bare, path);
  const all = new FrameSplitter().push(await readFile(path));
  if (!all) throw new TypeError("nothing was encoded");
  return all.slice(delayFrames);
}

async function decode(bytes: Buffer, name: string): Promise<Float32Array> {
  const path = join(folder, `${name}.mp3`);
  await writeFile(path, bytes);
  const { stderr } = await ffmpeg("-f", "mp3", "-i", path, "-f", "f32le", `${path}.f32`);
  expect(stderr).toBe("");
  const samples = await readFile(`${path}.f32`);
  return new Float32Array(samples.buffer, samples.byteOffset, samples.length / 4);
}

/** `toEqual` takes a hundred times as long for as many samples. */
const areSame = (a: Float32Array, b: Float32Array): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));

interface Lanes {
  readonly first: FrameGroup;
  readonly second: FrameGroup;
  /** Frames that the second lane has made before its piece. */
  readonly laneFrame: number;
  readonly bridge: FrameGroup;
}

function joinAll({ first, second, laneFrame, bridge }: Lanes, aim?: JoinAim): Buffer {
  const joined = new JoinedFrames((piece) => piece * BOUNDARY + (piece > 1 ? FRAMES : 0), aim);
  const groups = [...joined.add(0, first.slice(0, END), 0), ...joined.add(1, second.slice(START), laneFrame)];
  if (joined.wantsBridgeTo !== undefined) groups.push(...joined.bridge(bridge.frames(START)));
  groups.push(...joined.end(1));
  return Buffer.concat(groups.map(({ bytes }) => bytes));
}

describe.each([128, 320])("at 44.1 kHz and %i kbps", (kbps) => {
  it("has the size that a single encoder would make, wherever the second lane began", async () => {
    const sizes = new FrameSizes(kbps, 44_100);
    const first = await encode(kbps, 0);
    expect([first.frameCount, first.bytes.length]).toEqual([FRAMES, sizes.bytesOf(FRAMES)]);
    const bridge = await encode(bridgeBitrateKbps(kbps), 0, "-reservoir", "0");
    const unaimed: number[] = [];
    const before = await decode(first.bytes, `first-${kbps}`);
    for (const laneOffset of [1, 25, 40]) {
      const second = await encode(kbps, laneOffset);
      const lanes = { first, second, laneFrame: START + laneOffset, bridge };
      unaimed.push(joinAll(lanes).length);
      const bytes = joinAll(lanes, { frameCount: FRAMES, sizes });
      expect(bytes.length).toBe(sizes.bytesOf(FRAMES));
      const [joined, after] = await Promise.all([
        decode(bytes, `joined-${kbps}-${laneOffset}`),
        decode(second.bytes, `second-${kbps}-${laneOffset}`),
      ]);
      const samples = (frames: number): number => frames * SAMPLES_PER_FRAME * 2;
      expect(joined.length).toBe(before.length);
      const sure = BOUNDARY - 2;
      expect(areSame(joined.subarray(0, samples(sure)), before.subarray(0, samples(sure)))).toBe(true);
      expect(areSame(joined.subarray(samples(END + 2)), after.subarray(samples(END + 2)))).toBe(true);
    }
    // Some lanes pad another number of frames.
    expect(new Set(unaimed).size).toBeGreaterThan(1);
  });
});
