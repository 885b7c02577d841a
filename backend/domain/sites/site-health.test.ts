import { beforeEach, describe, expect, it } from "vitest";
import { SiteHealth, type SiteOutcome } from "./site-health.ts";

const MINUTE_MS = 60_000;
let nowMs: number;
let health: SiteHealth;
let links: number;
let isStillRefused: boolean;
beforeEach(() => {
  nowMs = 0;
  links = 0;
  isStillRefused = true;
  health = new SiteHealth({ now: () => nowMs, isStillRefused: () => isStillRefused });
});

/** Records the outcome for new links. */
function record(outcome: SiteOutcome, count = 1): void {
  for (; count > 0; count -= 1) health.record(`link ${++links}`, outcome);
}
const outcome = () => health.state.outcome;

it("knows nothing before the first extraction", () => {
  expect(health.state).toEqual({ outcome: null, links: 0 });
});

describe("a site fails", () => {
  it("when five links fail, not when four do", () => {
    record("refusing", 4);
    expect(outcome()).toBe("works");
    record("refusing");
    expect(health.state).toEqual({ outcome: "refusing", links: 5 });
  });

  it("when six of ten links fail, not when five do", () => {
    record("works", 4);
    record("changed", 5);
    record("works");
    expect(outcome()).toBe("works");
    health.record(`link ${links}`, "changed");
    expect(outcome()).toBe("changed");
  });

  it("not because of one broken video that is tried twenty times", () => {
    record("works");
    for (let count = 0; count < 20; count += 1) health.record("broken", "changed");
    expect(health.state).toEqual({ outcome: "works", links: 2 });
  });

  it("not because of failures that lie ten minutes apart", () => {
    record("changed", 4);
    nowMs = 10 * MINUTE_MS;
    record("changed");
    expect(health.state).toEqual({ outcome: "works", links: 1 });
  });

  it("for the reason of most failures", () => {
    record("refusing", 2);
    record("changed", 3);
    expect(outcome()).toBe("changed");
    record("refusing");
    expect(outcome()).toBe("refusing");
  });
});

describe("it works again", () => {
  it("when three of ten links fail, and is not failing again before six of ten do", () => {
    record("refusing", 6);
    record("works", 8);
    expect(outcome()).toBe("refusing");
    for (const link of [1, 2]) health.record(`link ${link}`, "works");
    expect(outcome()).toBe("works");
    for (const link of [7, 8, 9, 10]) health.record(`link ${link}`, "refusing");
    expect(outcome()).toBe("works");
    health.record("link 11", "refusing");
    expect(outcome()).toBe("refusing");
  });

  it("when old failures are out of the window and a link works, but not by silence alone", () => {
    record("changed", 5);
    nowMs = 10 * MINUTE_MS;
    expect(outcome()).toBe("changed");
    record("works");
    expect(outcome()).toBe("works");
  });

  it("is unknown when nobody has tried for 70 minutes", () => {
    record("changed", 5);
    nowMs = 70 * MINUTE_MS - 1;
    expect(outcome()).toBe("changed");
    nowMs += 1;
    expect(health.state).toEqual({ outcome: null, links: 0 });
  });

  it("after a change of the tool, with the first link that works", () => {
    record("changed", 20);
    health.toolChanged();
    expect(outcome()).toBe("changed");
    record("works");
    expect(outcome()).toBe("works");
  });
});

describe("a refusal through every exit", () => {
  it("is a failing site at once, and ends with the first link that works", () => {
    health.record("one", "refusing", true);
    for (let count = 2; count <= 8; count += 1) health.record(`waiting ${count}`, "refusing", true);
    expect(outcome()).toBe("refusing");
    health.record("one", "works");
    expect(outcome()).toBe("works");
  });

  it("ends when another process found an exit that works", () => {
    health.record("one", "refusing", true);
    isStillRefused = false;
    expect(outcome()).toBe("works");
  });

  it("lasts while exits are paused", () => {
    health.record("one", "refusing", true);
    nowMs = 60 * MINUTE_MS;
    expect(outcome()).toBe("refusing");
  });
});

it("looks at the newest twenty links only, so that a busy server notices soon that it works", () => {
  record("refusing", 500);
  record("works", 13);
  expect(outcome()).toBe("refusing");
  record("works");
  expect(outcome()).toBe("works");
});
