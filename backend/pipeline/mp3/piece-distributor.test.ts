import { expect, it } from "vitest";
import { LOOK_AHEAD_FRAMES, SEARCH_FRAMES, WARM_UP_FRAMES } from "./joined-frames.ts";
import { DecodedInput, type SoundChunk } from "./lane-input.ts";
import { SAMPLES_PER_FRAME } from "./mp3-frame.ts";
import { PieceDistributor } from "./piece-distributor.ts";
import { PieceGrid } from "./piece-grid.ts";
import { PieceLane } from "./piece-lane.ts";

const FRAMES = 600;
const MIN_FRAMES = 48;

/** Mono sound whose samples say in which frame they are. */
function numberedSound(chunkFrames: number): SoundChunk[] {
  return Array.from({ length: Math.ceil(FRAMES / chunkFrames) }, (_, chunk) => {
    const first = chunk * chunkFrames;
    const samples = new Float32Array(Math.min(chunkFrames, FRAMES - first) * SAMPLES_PER_FRAME);
    const bytes = Buffer.from(samples.map((_, sample) => first + Math.floor(sample / SAMPLES_PER_FRAME)).buffer);
    return { bytes, sampleCount: samples.length };
  });
}

const gridOf = (encoderCount: () => number): PieceGrid =>
  new PieceGrid({ encoderCount, stepFrames: 8, expectedFrames: FRAMES, maxFrames: 200, minFrames: MIN_FRAMES });

/** @returns the frames that each lane got, as runs of frames that follow one another */
async function distribute(
  encoderCount: (framesRead: number) => number,
  chunkFrames = 1,
): Promise<[from: number, to: number][][]> {
  let framesRead = 0;
  const written: [from: number, to: number][][] = [];
  const lanes: PieceLane[] = [];
  const openLane = (): PieceLane => {
    const runs: [from: number, to: number][] = [];
    written.push(runs);
    const write = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length; at += SAMPLES_PER_FRAME * 4) {
        const frame = bytes.readFloatLE(at);
        const run = runs.at(-1);
        if (run?.[1] === frame) run[1] = frame + 1;
        else runs.push([frame, frame + 1]);
      }
    };
    const encoder = { done: Promise.resolve(), needsInput: true, write, waitUntilInputNeeded: () => Promise.resolve() };
    return new PieceLane(
      () => ({ ...encoder, end: () => undefined }),
      () => undefined,
      0,
    );
  };
  const count = (): number => encoderCount(framesRead);
  const grid = gridOf(count);
  const distributor = new PieceDistributor({
    input: new DecodedInput(1),
    lanes: () => {
      while (lanes.length < count()) lanes.push(openLane());
      return lanes;
    },
    grid,
    sampleRateHz: 48_000,
    tagWritten: Promise.resolve(),
    onPieceStart: () => undefined,
    signal: new AbortController().signal,
  });
  // oxlint-disable-next-line typescript/require-await -- it is read as a stream
  async function* source(): AsyncGenerator<SoundChunk> {
    for (const chunk of numberedSound(chunkFrames)) {
      framesRead += chunk.sampleCount / SAMPLES_PER_FRAME;
      yield chunk;
    }
  }
  await distributor.distribute(source());
  return written;
}

it("gives all of the sound to one lane while one encoder may run", async () => {
  expect(await distribute(() => 1)).toEqual([[[0, FRAMES]]]);
});

it("begins a lane in the middle of the sound when a second encoder may run from there on", async () => {
  const [first = [], second = [], ...others] = await distribute((framesRead) => (framesRead <= 300 ? 1 : 2));
  expect(others).toEqual([]);
  const [[from, firstEnd] = [NaN, NaN]] = first;
  const [[secondStart] = [NaN]] = second;
  expect(from).toBe(0);
  expect(secondStart).toBeGreaterThan(300);
  expect(secondStart).toBeLessThan(300 + 200);
  expect(firstEnd - secondStart).toBe(WARM_UP_FRAMES + SEARCH_FRAMES + LOOK_AHEAD_FRAMES);
  expect(Math.max(...[...first, ...second].map(([, to]) => to))).toBe(FRAMES);
});

it.each([1, 3, 7])("cuts the sound where the grid says, in chunks of %i frames", async (chunkFrames) => {
  const runs = (await distribute(() => 2, chunkFrames)).flat().toSorted(([from], [other]) => from - other);
  const bare = gridOf(() => 2);
  const starts = Array.from({ length: runs.length - 1 }, (_, piece) => bare.startOf(piece + 1) - WARM_UP_FRAMES);
  expect(runs.length).toBeGreaterThan(4);
  expect(runs.slice(1).map(([from]) => from)).toEqual(starts);
});
