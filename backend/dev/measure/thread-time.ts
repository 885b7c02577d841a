/**
 * How long a page keeps its main thread busy, in processor time of the thread. Unlike time by the clock, it does not
 * depend on what else the machine does.
 */
import { z } from "zod";

/** Lighthouse's phone has a processor that is four times slower. */
const SLOWDOWN = 4;
/** Tasks that take longer delay the response to input; the rest of their time counts as blocked. */
const LONG_TASK_MS = 50;
/** The name depends on the categories that were traced. */
const TASK = /^(?:ThreadControllerImpl::)?RunTask$/;

const TraceEvent = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** Processor time in microseconds. */
  tdur: z.number().optional(),
});
export type TraceEvent = z.infer<typeof TraceEvent>;
export const Trace = z.object({ traceEvents: z.array(TraceEvent) });

export interface ThreadTime {
  /** All tasks of the main thread, on this machine. */
  readonly workMs: number;
  /**
   * Like Lighthouse's total blocking time, on the slower phone. It also counts tasks before the first paint, because a
   * busy machine paints later than a phone would.
   */
  readonly blockedMs: number;
}

/**
 * @param events the trace of one page load in a new browser
 * @throws Error when the page painted nothing
 */
export function threadTimeOf(events: readonly TraceEvent[]): ThreadTime {
  const paint = events.find(({ name }) => name === "firstContentfulPaint");
  if (!paint) throw new Error("the trace has no first paint");
  const tasks = events.filter(({ name, pid, tid }) => TASK.test(name) && pid === paint.pid && tid === paint.tid);
  const msOf = ({ tdur = 0 }: TraceEvent) => tdur / 1_000;
  return {
    workMs: tasks.reduce((sum, task) => sum + msOf(task), 0),
    blockedMs: tasks.reduce((sum, task) => sum + Math.max(0, msOf(task) * SLOWDOWN - LONG_TASK_MS), 0),
  };
}
