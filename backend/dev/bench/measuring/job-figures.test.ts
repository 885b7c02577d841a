import { expect, it } from "vitest";
import type { Job } from "../../../../common/job.ts";
import { figuresOf, type Push } from "./job-figures.ts";

const STARTED_MS = Date.UTC(2026, 0, 1);
const base = {
  id: "a",
  title: "A",
  format: "mp3",
  quality: "128kbps",
  progress: 0,
  attempt: 1,
  createdAt: new Date(STARTED_MS).toISOString(),
} as const;

function push(
  afterMs: number,
  job: { status: "queued" | "pending" } | { status: "processing"; etaSeconds?: number } | { status: "completed" },
  stampedAfterMs = afterMs,
): Push {
  const stamped = { ...base, updatedAt: new Date(STARTED_MS + stampedAfterMs).toISOString() };
  const { status } = job;
  const whole: Job =
    status === "processing"
      ? { ...stamped, ...job, stage: "download" }
      : status === "completed"
        ? { ...stamped, status, fileSize: 1, expiresAt: stamped.updatedAt }
        : { ...stamped, status };
  return { atMs: STARTED_MS + afterMs, job: whole };
}

it("measures the time to the first push, to the start by a worker and to the end", () => {
  const pushes = [
    push(5, { status: "queued" }),
    push(20, { status: "pending" }, 15),
    push(100, { status: "processing" }),
    push(1_000, { status: "completed" }),
  ];
  expect(figuresOf(pushes, STARTED_MS)).toMatchObject({ firstPushMs: 5, takenUpMs: 15, wallMs: 1_000 });
});

it("measures the longest gap between pushes from the start of processing to the end", () => {
  const pushes = [
    push(5, { status: "queued" }),
    push(700, { status: "processing" }),
    push(900, { status: "processing" }),
    push(1_250, { status: "completed" }),
  ];
  expect(figuresOf(pushes, STARTED_MS).longestSilenceMs).toBe(350);
});

it("compares estimates with the real end, without those of the first tenth", () => {
  const pushes = [
    push(50, { status: "processing", etaSeconds: 60 }),
    push(500, { status: "processing", etaSeconds: 0.5 }),
    push(800, { status: "processing", etaSeconds: 0.4 }),
    push(1_000, { status: "completed" }),
  ];
  expect(figuresOf(pushes, STARTED_MS).etaErrors.map((error) => Number(error.toFixed(6)))).toEqual([0, 0.2]);
});

it("rejects a job that was not completed", () => {
  expect(() => figuresOf([push(5, { status: "queued" })], STARTED_MS)).toThrow("queued");
});
