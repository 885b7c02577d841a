import { array, assert, integer, property, record } from "fast-check";
import { expect, it } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

/** A bucket with a clock that the test sets. */
function bucketAt(bytesPerSecond: number, burstBytes: number) {
  const clock = { nowMs: 0 };
  return { clock, bucket: new TokenBucket({ bytesPerSecond, burstBytes, nowMs: () => clock.nowMs }) };
}

it("passes bytes at the given rate when the burst is used up", () => {
  const { bucket } = bucketAt(1_000_000, 0);
  expect([1, 2, 3].map(() => bucket.reserve(10_000))).toEqual([10, 20, 30]);
});

it("saves at most the burst while idle", () => {
  const { bucket, clock } = bucketAt(1_000_000, 50_000);
  clock.nowMs = 60_000;
  expect(bucket.reserve(50_000)).toBe(60_000);
  expect(bucket.reserve(10_000)).toBe(60_010);
});

it("delays nothing without a limit", () => {
  const { bucket } = bucketAt(Infinity, 0);
  expect(bucket.reserve(1e9)).toBe(0);
  expect(bucket.reserve(1e9)).toBe(0);
});

it("passes at most rate × window + one burst in any window", () => {
  const BYTES_PER_SECOND = 1_000_000;
  const BURST_BYTES = 20_000;
  const asks = array(record({ idleMs: integer({ min: 0, max: 100 }), bytes: integer({ min: 1, max: 16_384 }) }), {
    minLength: 1,
    maxLength: 60,
  });
  assert(
    property(asks, (sequence) => {
      const { bucket, clock } = bucketAt(BYTES_PER_SECOND, BURST_BYTES);
      const passed = sequence.map(({ idleMs, bytes }) => {
        clock.nowMs += idleMs;
        return { atMs: bucket.reserve(bytes), bytes };
      });
      for (const [from, first] of passed.entries()) {
        let windowBytes = 0;
        for (const { atMs, bytes } of passed.slice(from)) {
          windowBytes += bytes;
          // The first bytes were already on their way when the window began.
          const mostBytes = ((atMs - first.atMs) * BYTES_PER_SECOND) / 1_000 + BURST_BYTES + first.bytes;
          expect(windowBytes).toBeLessThanOrEqual(mostBytes + 1e-6);
        }
      }
    }),
  );
});
