/** Watches when a tree of processes runs, from a process of its own, and says of a stretch how long nothing ran. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { RunSample } from "./run-samples.ts";

export interface RunFigures {
  /** Time in which no thread was on a core, in the queue for one, or waited for a disk. */
  readonly quietMs: number;
  /** Time that two free cores would have taken for the same work and the same waiting. */
  readonly twoCoresMs: number;
}

const CORES = 2;

/** @param samples in order, without gaps; those at the borders count by their share in the stretch */
export function runFigures(samples: readonly RunSample[], fromMs: number, toMs: number): RunFigures {
  let quietMs = 0;
  let twoCoresMs = 0;
  for (const [index, sample] of samples.entries()) {
    const lengthMs = sample.toMs - sample.fromMs;
    const insideMs = Math.min(sample.toMs, toMs) - Math.max(sample.fromMs, fromMs);
    if (insideMs <= 0) continue;
    const share = insideMs / lengthMs;
    // A thread's time in the queue is counted when it gets a core, so one that queues at a border hides it.
    const isActive = sample.isActiveAtEnd && (samples[index - 1]?.isActiveAtEnd ?? true);
    const quiet = isActive ? 0 : Math.max(0, lengthMs - sample.wantedMs);
    const atATime = Math.min(CORES, Math.max(1, sample.wantedMs / lengthMs));
    quietMs += share * quiet;
    twoCoresMs += share * (quiet + sample.cpuMs / atATime);
  }
  return { quietMs, twoCoresMs };
}

export interface RunWatch {
  /** Of the watching process, which is no part of what is measured. */
  readonly pid: number;
  /** @returns the samples from this moment (milliseconds since 1970) until now */
  since(fromMs: number): Promise<RunSample[]>;
}

/**
 * @param rootPid its descendants are watched, too
 * @param leftOut processes that are not, with their descendants
 * @param started ends the watch when disposed
 */
export async function startRunWatch(
  rootPid: number,
  leftOut: readonly number[],
  started: AsyncDisposableStack,
): Promise<RunWatch> {
  const watch = fork(join(import.meta.dirname, "run-watch-process.ts"), [rootPid, ...leftOut].map(String));
  const exited = once(watch, "exit");
  started.defer(async () => {
    watch.kill();
    await exited;
  });
  await once(watch, "message");
  return {
    pid: watch.pid ?? 0,
    async since(fromMs) {
      const answered = once(watch, "message");
      watch.send(fromMs);
      const [samples] = (await answered) as [unknown];
      return z.array(RunSample).parse(samples);
    },
  };
}
