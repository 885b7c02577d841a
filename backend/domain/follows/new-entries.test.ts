import { describe, expect, it } from "vitest";
import type { EntryProblem } from "../../../common/lists.ts";
import { afterLook, MAX_SEEN, MAX_WAITING, newAtEnd, newInFront, type Entry } from "./new-entries.ts";

const entry = (code: string, problem?: EntryProblem): Entry => ({ code, link: `link ${code}`, title: code, problem });
const list = (codes: string): Entry[] => codes.split("").map((code) => entry(code));
const codes = (entries: readonly Entry[]): string => entries.map(({ code }) => code).join("");
const waiting = (...names: string[]) => names.map((title) => ({ link: `link ${title}`, title }));

describe("newInFront", () => {
  it.each([
    ["nothing new", "cba", "abc", ""],
    ["new ones in front, the oldest first", "edcba", "abc", "de"],
    ["one that moved up from behind because another was removed", "dcbaz", "abcd", ""],
    ["one between two known ones", "dxcba", "abcd", "x"],
    ["all of a page without a known one", "fed", "abc", "def"],
    ["an empty list", "", "abc", ""],
  ])("%s", (_, page, seen, fresh) => {
    expect(codes(newInFront(list(page), new Set(seen), false))).toBe(fresh);
  });

  it.each([
    ["at the end of a list that was read as a whole", "abcde", "abc", true, "de"],
    ["not behind the end of what was read", "abcde", "abc", false, ""],
    ["on both sides", "xabcy", "abc", true, "xy"],
  ])("%s", (_, page, seen, isWhole, fresh) => {
    expect(codes(newInFront(list(page), new Set(seen), isWhole))).toBe(fresh);
  });
});

it.each([
  ["as many as it has grown", "abcdef", "abcd", 2, "ef"],
  ["none of those before, although they were never read", "abcdef", "ab", 2, "ef"],
  ["not one that is known", "abcdef", "abcdf", 2, "e"],
])("newAtEnd takes %s", (_, whole, seen, growth, fresh) => {
  expect(codes(newAtEnd(list(whole), new Set(seen), growth))).toBe(fresh);
});

describe("afterLook", () => {
  it("keeps what waits, and adds what is new", () => {
    const known = { seen: ["a", "b"], waiting: waiting("b") };
    expect(afterLook(known, list("dcba"), list("cd"))).toEqual({
      seen: ["d", "c", "b", "a"],
      waiting: waiting("b", "c", "d"),
    });
  });

  it.each<[EntryProblem, boolean]>([
    ["upcoming", true],
    ["live", true],
    ["private", true],
    ["members_only", true],
    ["deleted", false],
    ["list", false],
  ])("leaves an entry that is %s new: %s", (problem, isLeft) => {
    const fresh = [entry("b", problem)];
    const { seen, waiting: now } = afterLook({ seen: ["a"], waiting: [] }, [...fresh, entry("a")], fresh);
    expect(seen).toEqual(isLeft ? ["a"] : ["b", "a"]);
    expect(now).toEqual(isLeft ? [{ link: "link b", title: "b", problem }] : []);
  });

  it("finds those that their site does not give yet anew each time", () => {
    const before = { seen: ["a"], waiting: [{ link: "link b", title: "b", problem: "live" as const }] };
    expect(afterLook(before, list("ba"), list("b")).waiting).toEqual(waiting("b"));
    expect(afterLook(before, list("a"), []).waiting).toEqual([]);
  });

  it.each([
    [MAX_WAITING - 1, 1],
    [MAX_WAITING, 0],
  ])("of new ones, while %i wait, takes %i more, and leaves the others new", (count, taken) => {
    const before = Array.from({ length: count }, (_, index) => ({ link: `link ${index}`, title: String(index) }));
    const fresh = [entry("x"), entry("y")];
    const after = afterLook({ seen: [], waiting: before }, fresh.toReversed(), fresh);
    expect(after.waiting).toHaveLength(MAX_WAITING);
    expect(after.seen).toEqual(["x"].slice(0, taken));
  });

  it("forgets those that were not seen for longest", () => {
    const seen = Array.from({ length: MAX_SEEN }, (_, index) => `old ${index}`);
    const after = afterLook({ seen, waiting: [] }, list("ab"), list("ba"));
    expect(after.seen.slice(0, 3)).toEqual(["a", "b", "old 0"]);
    expect(after.seen).toHaveLength(MAX_SEEN);
  });
});
