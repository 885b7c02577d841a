/**
 * Encoders come after the server's own work, so that requests and pushes stay quick while they run. Where the kernel groups
 * processes by session (sched(7), autogroup), every tool, having one of its own, would be given as much as the whole
 * server, however nice it is: with twenty at work pushes came up to a second late. So their sessions are made nice too;
 * not those of what somebody waits for, which would come after a busy browser on the same machine.
 */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Of a core that both want, what is brief gets a third of what the server gets, and what runs for long a tenth. */
export const NICENESS = { brief: 5, long: 10 } as const;
export type Length = keyof typeof NICENESS;

/** Whoever is not root may change one session in this time, machine-wide (kernel/sched/autogroup.c). */
const RETRY_MS = 110;
/** As long as it takes in the worst case until forty tools that started together have had their turn. */
const MOST_TRIES = 40;

/** Of a process that leads a session. */
export function giveWay(child: ChildProcess, length: Length): void {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, NICENESS[length]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
  if (length === "long") giveWayAsSession(child, MOST_TRIES);
}

function giveWayAsSession(child: ChildProcess, triesLeft: number): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    writeFileSync(`/proc/${child.pid}/autogroup`, String(NICENESS.long));
  } catch (error) {
    // Any other: it has just ended, or this kernel knows no such groups, and then being nice is enough.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN" && triesLeft > 0) setTimeout(() => giveWayAsSession(child, triesLeft - 1), RETRY_MS).unref();
  }
}
