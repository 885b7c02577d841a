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
function numberedSound(): SoundChunk[] {
  return Array.from({ length: FRAMES }, (_, frame) => ({
    bytes: Buffer.from(new Float32Array(SAMPLES_PER_FRAME).fill(frame).buffer),
    sampleCount: SAMPLES_PER_FRAME,
  }));
}

/** @returns the frames that each lane got, as runs of frames that follow one another */
async function distribute(encoderCount: (framesRead: number) => number): Promise<[from: number, to: number][][]> {
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
  const grid = new PieceGrid({
    encoderCount: count,
    stepFrames: 8,
    expectedFrames: FRAMES,
    maxFrames: 200,
    minFrames: MIN_FRAMES,
  });
  const distributor = new PieceDistributor({
    input: new DecodedInput(1),
    lanes: () => {
      while (lanes.length < count()) lanes.push(openLane());
      return lanes.slice(0, count());
    },
    grid,
    sampleRateHz: 48_000,
    tagWritten: Promise.resolve(),
    onPieceStart: () => undefined,
    signal: new AbortController().signal,
  });
  // oxlint-disable-next-line typescript/require-await -- it is read as a stream
  async function* source(): AsyncGenerator<SoundChunk> {
    for (const chunk of numberedSound()) {
      framesRead += 1;
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

it("leaves the rest to the first lane when no second encoder may run any more", async () => {
  const [first = [], second = []] = await distribute((framesRead) => (framesRead <= 250 ? 2 : 1));
  expect(second.length).toBeGreaterThan(0);
  expect(Math.max(...second.map(([, to]) => to))).toBeLessThan(FRAMES);
  expect(first.at(-1)?.[1]).toBe(FRAMES);
});
