import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ReplayBuffer } from "./replay-buffer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A cluster whose other processes can be reached or not, as the test says. */
function openBuffer() {
  let isUp = true;
  let handler: (isUp: boolean) => void = () => undefined;
  const buffer = new ReplayBuffer({
    isUp: () => isUp,
    onChange: (added) => {
      handler = added;
      return () => undefined;
    },
  });
  return {
    buffer,
    change: (next: boolean): void => {
      isUp = next;
      handler(next);
    },
  };
}

it("forgets the last event after five seconds, also when no other follows", () => {
  const { buffer, change } = openBuffer();
  const emit = vi.fn<() => void>();
  buffer.add("a", emit);
  vi.advanceTimersByTime(4_999);
  change(true);
  expect(emit).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5_001);
  change(true);
  expect(emit).toHaveBeenCalledTimes(1);
});

it("keeps events while the other processes cannot be reached", () => {
  const { buffer, change } = openBuffer();
  const emit = vi.fn<() => void>();
  change(false);
  buffer.add("a", emit);
  vi.advanceTimersByTime(60_000);
  change(true);
  expect(emit).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  change(true);
  expect(emit).toHaveBeenCalledTimes(1);
});
