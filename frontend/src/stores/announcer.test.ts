import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { QUIET_MS, createAnnouncerStore } from "./announcer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const store = createAnnouncerStore();
  const heard: string[] = [];
  store.subscribe(({ text }) => heard.push(text));
  const say = (about: string, text: string, isEnd = false) => store.getState().announce([{ about, text, isEnd }]);
  return { heard, say, withdraw: store.getState().withdraw };
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
