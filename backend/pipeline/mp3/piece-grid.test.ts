import { assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { GRID_FRAMES } from "./joined-frames.ts";
import { PieceGrid } from "./piece-grid.ts";

const maxFrames = 2_500;
const minFrames = 300;
const lengths = (grid: PieceGrid, count: number): number[] =>
  Array.from({ length: count }, (_, piece) => grid.startOf(piece + 1) - grid.startOf(piece));

describe("PieceGrid", () => {
  it("makes pieces of equal length when the length of the sound is unknown", () => {
    expect(
      new Set(lengths(new PieceGrid({ stepFrames: GRID_FRAMES, encoderCount: () => 2, maxFrames, minFrames }), 20)),
    ).toEqual(new Set([GRID_FRAMES * Math.ceil(maxFrames / GRID_FRAMES)]));
  });

  it("makes a single piece for a single encoder", () => {
    expect(
      new PieceGrid({
        stepFrames: GRID_FRAMES,
        encoderCount: () => 1,
        expectedFrames: 25_000,
        maxFrames,
        minFrames,
      }).startOf(1),
    ).toBeGreaterThan(1e12);
  });

  it("ends a piece behind what was given of it, once more encoders may run", () => {
    let encoderCount = 1;
    const about = { stepFrames: GRID_FRAMES, encoderCount: () => encoderCount, maxFrames, minFrames };
    const grid = new PieceGrid({ ...about, expectedFrames: 25_000 });
    grid.given(10_000);
    expect(grid.hasEnd(0)).toBe(false);
    encoderCount = 2;
    const end = grid.startOf(1);
    expect([end > 10_000 + minFrames, end < 10_000 + maxFrames + GRID_FRAMES, end % GRID_FRAMES]).toEqual([
      true,
      true,
      0,
    ]);
  });

  it("makes pieces that become shorter towards the end, within their bounds and on the grid", () => {
    assert(
      property(integer({ min: 2, max: 16 }), integer({ min: 1, max: 400_000 }), (encoderCount, expectedFrames) => {
        const grid = new PieceGrid({
          stepFrames: GRID_FRAMES,
          encoderCount: () => encoderCount,
          expectedFrames,
          maxFrames,
          minFrames,
        });
        for (let piece = 0; grid.startOf(piece) < expectedFrames; piece += 1) {
          const length = grid.startOf(piece + 1) - grid.startOf(piece);
          const nextLength = grid.startOf(piece + 2) - grid.startOf(piece + 1);
          expect(grid.startOf(piece) % GRID_FRAMES).toBe(0);
          expect(length).toBeGreaterThanOrEqual(minFrames);
          expect(length).toBeLessThan(maxFrames + GRID_FRAMES);
          const isLast = grid.startOf(piece + 1) >= expectedFrames;
          expect(isLast ? 0 : nextLength).toBeLessThanOrEqual(length);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("makes more pieces when the sound is longer than expected", () => {
    const grid = new PieceGrid({
      stepFrames: GRID_FRAMES,
      encoderCount: () => 2,
      expectedFrames: 1_000,
      maxFrames,
      minFrames,
    });
    expect(Math.min(...lengths(grid, 20))).toBeGreaterThanOrEqual(minFrames);
  });
});
