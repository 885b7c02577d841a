import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { QUIET_MS, createAnnouncerStore } from "./announcer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const store = createAnnouncerStore();
  const heard: string[] = [];
  store.subscribe(({ spoken }) => heard.push(spoken.isUrgent ? `${spoken.text}!` : spoken.text));
  const { announce, interrupt, withdraw } = store.getState();
  const say = (about: string, text: string, isEnd = false) => announce([{ about, text, isEnd }]);
  return { store, heard, say, interrupt, withdraw };
}

it("announces the first line at once and then one line in 10 s, the newest", () => {
  const { heard, say } = setUp();
  for (const text of ["started", "25 %", "50 %", "75 %"]) say("a", text);
  expect(heard).toEqual(["started"]);
  vi.advanceTimersByTime(QUIET_MS - 1);
  expect(heard).toEqual(["started"]);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(["started", "75 %"]);
  vi.advanceTimersByTime(QUIET_MS);
  say("a", "90 %");
  expect(heard).toEqual(["started", "75 %", "90 %"]);
});

it("never loses an end: all ends of the quiet time are one line", () => {
  const { heard, say } = setUp();
  say("a", "a started");
  say("a", "a is ready", true);
  say("b", "b failed", true);
  say("c", "c started");
  vi.advanceTimersByTime(QUIET_MS * 3);
  expect(heard).toEqual(["a started", "a is ready b failed"]);
});

it("leaves out the end of a job that was started again, and lines that were withdrawn", () => {
  const { heard, say, withdraw } = setUp();
  say("a", "a started");
  say("a", "a failed", true);
  say("a", "a started again");
  say("preview", "Rain");
  withdraw("preview");
  vi.advanceTimersByTime(QUIET_MS * 2);
  expect(heard).toEqual(["a started", "a started again"]);
});

it("announces an error at once, and what waits 10 s after it", () => {
  const { heard, say, interrupt } = setUp();
  say("a", "a started");
  say("a", "50 %");
  vi.advanceTimersByTime(QUIET_MS - 1);
  interrupt("invalid");
  vi.advanceTimersByTime(QUIET_MS - 1);
  expect(heard).toEqual(["a started", "invalid!"]);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(["a started", "invalid!", "50 %"]);
});

it("tells two lines with the same text apart", () => {
  const { store, interrupt } = setUp();
  interrupt("invalid");
  const first = store.getState().spoken;
  interrupt("invalid");
  expect(store.getState().spoken).toEqual({ ...first, number: first.number + 1 });
});
