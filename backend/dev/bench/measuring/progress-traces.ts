/** Replays recorded progress of real conversions and measures the errors of the estimated time left. */
import { z } from "zod";
import type { LearnedPaces } from "../../../pipeline/progress/learned-paces.ts";
import { ProgressReporter, type ConvertProgress } from "../../../pipeline/progress/progress-reporter.ts";

const ProgressStep = z.object({
  /** Milliseconds since the start of the conversion. */
  atMs: z.number(),
  /** `both`: fetching and encoding in parallel. `expect`: the plan for the encoding. */
  stage: z.enum(["download", "convert", "store", "both", "expect"]),
  fraction: z.number(),
  /** With `both`: the fetched fraction; `fraction` is the encoded one. */
  fetched: z.number().optional(),
  /** The fraction that the encoder can read, and when the slowest connection would end; see `FetchDetails`. */
  readable: z.number().optional(),
  slowestEndMs: z.number().optional(),
  /** With `expect`: kind of the work after fetching, and its planned length in seconds. */
  work: z.enum(["mp3", "copy", "encode", "lossless"]).optional(),
  seconds: z.number().optional(),
});

const ProgressTrace = z.object({
  name: z.string(),
  planned: z.object({ download: z.number(), convert: z.number(), store: z.number() }),
  /** From the start until the file was stored. */
  totalMs: z.number(),
  steps: z.array(ProgressStep),
});
export type ProgressTrace = z.infer<typeof ProgressTrace>;

export const ProgressTraces = z.array(ProgressTrace);

/** Interval of pushes to a browser. */
const PUSH_MS = 200;
const TICK_MS = 250;
/** Estimates before this share of the time are not counted. */
const SETTLED_SHARE = 0.1;

export interface ReplayedPush {
  readonly atMs: number;
  readonly progress: ConvertProgress;
  /** Difference of the estimated and the real end, as a share of the whole time; undefined without an estimate. */
  readonly error?: number;
}

/**
 * Runs a progress reporter with recorded steps and times.
 * @returns what would have been pushed
 */
export function replay({ planned, totalMs, steps }: ProgressTrace, paces?: LearnedPaces): ReplayedPush[] {
  let nowMs = 0;
  let last: ConvertProgress | undefined;
  const reporter = new ProgressReporter({
    planned,
    paces,
    listen: (progress) => (last = progress),
    nowMs: () => nowMs,
  });
  const pushes: ReplayedPush[] = [];
  const { atMs: beganMs } = steps.find(({ stage }) => stage !== "expect") ?? { atMs: 0 };
  const waiting = [...steps];
  let tickMs = beganMs + TICK_MS;
  for (let pushMs = beganMs; pushMs < totalMs; pushMs += PUSH_MS) {
    for (;;) {
      const dueMs = Math.min(waiting[0]?.atMs ?? Infinity, tickMs);
      if (dueMs > pushMs) break;
      nowMs = dueMs;
      if (dueMs === tickMs) {
        reporter.tick();
        tickMs += TICK_MS;
        continue;
      }
      const step = waiting.shift();
      if (!step) break;
      if (step.stage === "expect") {
        if (step.work && step.seconds !== undefined) reporter.expect({ work: step.work, seconds: step.seconds });
      } else if (step.stage === "both") reporter.reportOverlapped(step.fetched ?? 0, step.fraction, undefined, step);
      else reporter.report(step.stage, step.fraction, undefined, step);
    }
    if (!last) continue;
    const progress: ConvertProgress = last;
    const { etaSeconds } = progress;
    const isCounted = etaSeconds !== undefined && pushMs >= totalMs * SETTLED_SHARE;
    pushes.push({
      atMs: pushMs,
      progress,
      ...(isCounted && { error: Math.abs(pushMs + etaSeconds * 1_000 - totalMs) / totalMs }),
    });
  }
  return pushes;
}
