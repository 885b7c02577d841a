/** How much of the processors other programs use while this command runs, so that it does not judge the machine. */
import { readFileSync } from "node:fs";
import { costOf } from "../bench/measuring/process-tree.ts";

/** `sysconf(_SC_CLK_TCK)`, 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface Use {
  readonly atSeconds: number;
  /** Time of all processors in which they were not idle, since the machine's start. */
  readonly busySeconds: number;
  /** CPU time of this command and of all processes that it has started. */
  readonly ownSeconds: number;
}

/**
 * @param stat the text of /proc/stat, see proc(5)
 * @returns seconds in which a processor was not idle; what the hypervisor took away counts, waiting for a disk does not
 */
export function busySecondsIn(stat: string): number {
  const [, ...ticks] = (stat.split("\n", 1)[0] ?? "").trim().split(/\s+/).map(Number);
  const [user = 0, nice = 0, system = 0, _idle, _disk, irq = 0, softIrq = 0, stolen = 0] = ticks;
  return (user + nice + system + irq + softIrq + stolen) / TICKS_PER_SECOND;
}

/** @returns how many processors other programs used on average, such as 1.5 */
export function processorsOfOthers(before: Use, after: Use): number {
  const busy = after.busySeconds - before.busySeconds;
  const own = after.ownSeconds - before.ownSeconds;
  return Math.max(0, busy - own) / (after.atSeconds - before.atSeconds);
}

export function readUse(): Use {
  const { ownCpuSeconds, toolCpuSeconds, databaseCpuSeconds } = costOf(process.pid);
  return {
    atSeconds: performance.now() / 1_000,
    busySeconds: busySecondsIn(readFileSync("/proc/stat", "utf8")),
    ownSeconds: ownCpuSeconds + toolCpuSeconds + databaseCpuSeconds,
  };
}
