import { array, assert, constantFrom, integer, property, tuple } from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isActive, Job } from "../../common/job.ts";
import { compareJobs, mergeVersions } from "../../common/merge.ts";
import { isForward, START_MS, version, versions, type Version } from "../dev/testing/job-versions.ts";
import { advance } from "./advance.ts";
import { JobPushes } from "./job-pushes.ts";
import { PUSHES_PER_WINDOW, PUSHES_PER_WINDOW_IN_CLUSTER } from "./push-schedule.ts";
import { keepNewestVersions } from "./recovery.ts";

const INTERVAL_MS = 200;
const WINDOW_MS = INTERVAL_MS * PUSHES_PER_WINDOW;

describe("advance", () => {
  it("returns a version that a page takes as the newer one, or null", () => {
    assert(
      property(versions, versions, (known, next) => {
        const sent = advance(known, next);
        if (sent === null) return compareJobs(next, known) < 0;
        const isTakenByPages =
          !isActive(sent.status) || mergeVersions(known, sent) === sent || compareJobs(known, sent) === 0;
        const isWhole = JSON.stringify(Job.parse(sent)) === JSON.stringify(Job.parse(JSON.parse(JSON.stringify(sent))));
        const keepsTheRest =
          sent.status === next.status && sent.title === next.title && sent.thumbnailUrl === next.thumbnailUrl;
        return isForward(known, sent) && isTakenByPages && isWhole && keepsTheRest;
      }),
    );
  });

  it("keeps the pushed percentage when a version from the database brings a picture", () => {
    const known = version({ status: "processing", progress: 20, updatedMs: 9, etaSeconds: 3 });
    const stored = version({
      status: "processing",
      progress: 2,
      updatedMs: 5,
      etaSeconds: 8,
      thumbnailUrl: "/picture",
    });
    const sent = advance(known, stored);
    expect(sent).toMatchObject({ progress: 20, etaSeconds: 3, thumbnailUrl: "/picture" });
    expect(mergeVersions(known, sent as Job)).toEqual(sent);
  });

  it("keeps the percentage when the job is canceled", () => {
    expect(
      advance(version({ status: "processing", progress: 20 }), version({ status: "canceled", progress: 2 })),
    ).toMatchObject({ status: "canceled", progress: 20 });
  });

  it("returns a later version of an ended job, and null for an earlier one", () => {
    const before = version({ status: "completed", updatedMs: 1 });
    const after = version({ status: "completed", updatedMs: 2, title: "changed" });
    expect(advance(before, after)).toEqual(after);
    expect(advance(after, before)).toBeNull();
    expect(advance(after, after)).toEqual(after);
  });
});

describe("JobPushes", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  interface Sent {
    readonly atMs: number;
    readonly job: Job;
  }
  function open(isInCluster = false): { pushes: JobPushes; sent: Sent[]; push: (job: Job) => void } {
    const sent: Sent[] = [];
    const pushes = new JobPushes({
      intervalMs: INTERVAL_MS,
      isInCluster,
      emit: (_audience, job) => sent.push({ atMs: performance.now(), job }),
    });
    return { pushes, sent, push: (job) => pushes.push({ deviceId: "d" }, job) };
  }
  const processing = (progress: number, more: Partial<Version> = {}) =>
    version({ status: "processing", progress, updatedMs: progress, ...more });

  it("sends at most five pushes in a window for a job that is canceled and retried again and again", () => {
    const { sent, push } = open();
    for (let attempt = 1; attempt < 20; attempt += 1) {
      for (const status of ["queued", "processing", "canceled"] as const) push(version({ status, attempt }));
      vi.advanceTimersByTime(10);
    }
    expect(sent).toHaveLength(PUSHES_PER_WINDOW);
    vi.advanceTimersByTime(WINDOW_MS);
    expect(sent.at(-1)?.job).toMatchObject({ attempt: 19, status: "canceled" });
  });

  it("never goes back, sends at most five pushes in a window, and ends with the newest version", () => {
    assert(
      property(
        array(tuple(constantFrom(0, 1, 3, 20, 90, 400), versions), { minLength: 1, maxLength: 60 }),
        (reports) => {
          const { sent, push } = open();
          let newest: Job | undefined;
          for (const [waitMs, job] of reports) {
            vi.advanceTimersByTime(waitMs);
            push(job);
            newest = newest ? (advance(newest, job) ?? newest) : job;
          }
          vi.advanceTimersByTime(WINDOW_MS);
          expect(sent.every(({ job }, index) => isForward(sent[index - 1]?.job ?? job, job))).toBe(true);
          sent
            .slice(PUSHES_PER_WINDOW)
            .forEach(({ atMs }, index) => expect(atMs - (sent[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(WINDOW_MS));
          expect(sent.at(-1)?.job).toEqual(newest);
        },
      ),
    );
  });

  it("pushes the end of a job at once after any number of progress reports", () => {
    assert(
      property(
        array(
          tuple(
            integer({ min: 0, max: 60 }),
            versions.filter(({ status }) => isActive(status)),
          ),
          { maxLength: 60 },
        ),
        (reports) => {
          const { sent, push } = open();
          for (const [waitMs, job] of reports) {
            push(job);
            vi.advanceTimersByTime(waitMs);
          }
          push(version({ status: "canceled", attempt: 3 }));
          expect(sent.at(-1)).toMatchObject({ atMs: performance.now(), job: { status: "canceled" } });
        },
      ),
    );
  });

  it("pushes a picture at once while progress is pushed at its highest rate", () => {
    const { sent, push } = open();
    for (let progress = 1; progress < 90; progress += 1) {
      push(processing(progress));
      vi.advanceTimersByTime(50);
    }
    push(processing(3, { thumbnailUrl: "/picture" }));
    vi.advanceTimersByTime(WINDOW_MS / 25);
    expect(sent.at(-1)?.job).toMatchObject({ thumbnailUrl: "/picture", progress: 89 });
  });

  it("keeps a push free in a cluster for another process that it has not heard of yet", () => {
    const { pushes, sent, push } = open(true);
    for (const attempt of [1, 2])
      for (const status of ["queued", "canceled"] as const) push(version({ status, attempt }));
    push(version({ status: "queued", attempt: 3 }));
    push(version({ status: "canceled", attempt: 3 }));
    vi.advanceTimersByTime(WINDOW_MS - 1);
    expect(sent.length).toBeLessThanOrEqual(PUSHES_PER_WINDOW_IN_CLUSTER);
    pushes.stop();
    expect(sent.at(-1)?.job).toMatchObject({ attempt: 3, status: "canceled" });
  });

  it.each([
    ["alone", false],
    ["in a cluster", true],
  ])("pushes progress at least every half second %s", (_, isInCluster) => {
    const { sent, push } = open(isInCluster);
    for (let progress = 1; progress < 90; progress += 1) {
      push(processing(progress, progress > 40 ? { thumbnailUrl: "/picture" } : {}));
      vi.advanceTimersByTime(50);
    }
    const gapsMs = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(Math.max(...gapsMs)).toBeLessThanOrEqual(500);
  });

  it.each([
    ["metadata and picture come at once", { metadataAtMs: 0, pictureAtMs: 0, maxGapMs: 480 }],
    ["metadata and picture come one after the other", { metadataAtMs: 300, pictureAtMs: 360, maxGapMs: 400 }],
    ["the picture never comes", { metadataAtMs: 250, pictureAtMs: Infinity, maxGapMs: 400 }],
  ])("leaves no long gap between the pushes of a new job when %s", (_, { metadataAtMs, pictureAtMs, maxGapMs }) => {
    const { sent, push } = open();
    push(version({ status: "queued" }));
    push(version({ status: "pending" }));
    for (let atMs = 0; atMs < 3 * WINDOW_MS; atMs += 10) {
      if (atMs >= metadataAtMs)
        push(processing(atMs / 100, { title: "A title", thumbnailUrl: atMs < pictureAtMs ? undefined : "/picture" }));
      vi.advanceTimersByTime(10);
    }
    const gapsMs = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(Math.max(...gapsMs)).toBeLessThanOrEqual(maxGapMs);
  });

  it("pushes the first two states at once and merges the changes right after them", () => {
    const { sent, push } = open();
    push(version({ status: "queued" }));
    push(version({ status: "pending" }));
    push(version({ status: "pending", title: "A title", updatedMs: 1 }));
    push(processing(0, { title: "A title" }));
    push(processing(0, { title: "A title", thumbnailUrl: "/picture", updatedMs: 1 }));
    vi.advanceTimersByTime(WINDOW_MS / 25);
    expect(sent.map(({ job }) => [job.status, job.title, job.thumbnailUrl])).toEqual([
      ["queued", "a link", undefined],
      ["pending", "a link", undefined],
      ["processing", "A title", "/picture"],
    ]);
  });

  it("keeps the details of a job that has not begun for its next state, so that progress follows soon", () => {
    const { sent, push } = open();
    push(version({ status: "queued" }));
    push(version({ status: "pending" }));
    vi.advanceTimersByTime(60);
    push(version({ status: "pending", title: "A title", updatedMs: 1 }));
    vi.advanceTimersByTime(60);
    for (let atMs = 0; atMs < WINDOW_MS; atMs += 10) {
      push(processing(atMs / 50, { title: "A title" }));
      vi.advanceTimersByTime(10);
    }
    expect(sent.slice(0, 3).map(({ job }) => [job.status, job.title])).toEqual([
      ["queued", "a link"],
      ["pending", "a link"],
      ["processing", "A title"],
    ]);
    const gapsMs = sent.slice(3).map(({ atMs }, index) => atMs - (sent[index + 2]?.atMs ?? 0));
    expect(Math.max(...gapsMs)).toBeLessThanOrEqual(450);
  });

  it("pushes at once that a job which has not begun waits for its site", () => {
    const { sent, push } = open();
    push(version({ status: "queued" }));
    push(version({ status: "pending" }));
    const resumesAt = new Date(START_MS + 100_000).toISOString();
    push({ ...version({ status: "pending", title: "A title", updatedMs: 1 }), resumesAt } as Job);
    vi.advanceTimersByTime(WINDOW_MS / 25);
    expect(sent.at(-1)?.job).toMatchObject({ title: "A title", resumesAt });
  });

  it("pushes the details of a job that waits longer without its next state", () => {
    const { sent, push } = open();
    push(version({ status: "queued" }));
    push(version({ status: "pending" }));
    push(version({ status: "pending", title: "A title", updatedMs: 1 }));
    vi.advanceTimersByTime(WINDOW_MS / 5);
    expect(sent.map(({ job }) => job.title)).toEqual(["a link", "a link", "A title"]);
  });

  it("pushes nothing after the removal of a job", () => {
    const { pushes, sent, push } = open();
    for (const progress of [0, 1, 2]) push(processing(progress));
    pushes.remove("a");
    push(version({ status: "completed" }));
    vi.advanceTimersByTime(WINDOW_MS);
    expect(sent).toHaveLength(1);
  });

  it("sends waiting versions when it stops", () => {
    const { pushes, sent, push } = open();
    for (const progress of [0, 1, 2]) push(processing(progress));
    pushes.stop();
    expect(sent.map(({ job }) => job.progress)).toEqual([0, 2]);
    vi.advanceTimersByTime(WINDOW_MS);
    expect(sent).toHaveLength(2);
  });
});

it("keeps only the newest version of each job among missed events, and no snapshot", () => {
  const first = version({ status: "processing", progress: 5 });
  const second = version({ status: "canceled" });
  const late = version({ status: "processing", progress: 6 });
  const other = { ...first, id: "b" };
  const missed = [
    ["job", first, "1"],
    ["usage", {}, "2"],
    ["snapshot", { asOf: first.updatedAt, jobs: [first] }, "2a"],
    ["job", other, "3"],
    ["job", second, "4"],
    ["job", late, "5"],
    ["job:removed", { id: "b" }, "6"],
  ];
  expect(keepNewestVersions(missed)).toEqual([
    ["usage", {}, "2"],
    ["job", other, "3"],
    ["job", second, "4"],
    ["job:removed", { id: "b" }, "6"],
  ]);
});
