/**
 * Sets the CPU priority of tools. When there are more encoders than cores, they have a lower priority than this server,
 * so that requests and pushes stay fast. All encoders together get as much CPU time as one ordinary program that has a
 * thread per core. All values are added to the niceness of this server, because only root may set a lower one.
 *
 * Linux can group processes by session before it looks at their niceness (sched(7), autogroup). Each tool leads a
 * session, so an encoder's session gets the same niceness as its process. Sessions of brief tools keep niceness 0.
 */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, getPriority, setPriority } from "node:os";
import { processTree } from "./process-memory.ts";

/** "brief": a person waits for it (extraction, probe, picture). "long": an encoder. */
export type ToolLength = "brief" | "long";

/** A process with a niceness one higher gets a core for 1/1.25 of the time (sched(7)). */
const WEIGHT_STEP = 1.25;
const MAX_NICENESS = { brief: 5, long: 15 } as const;
const MAX_SYSTEM_NICENESS = 19;

/**
 * @param length of the tool
 * @param encoderCount encoders that run, this one included
 * @param coreCount of the machine
 * @returns niceness above that of this server, 0 to 15, at which `encoderCount` encoders weigh as much as `coreCount`
 * ordinary processes
 */
export function nicenessFor(length: ToolLength, encoderCount: number, coreCount: number): number {
  if (encoderCount <= coreCount) return 0;
  return Math.min(MAX_NICENESS[length], Math.round(Math.log(encoderCount / coreCount) / Math.log(WEIGHT_STEP)));
}

/** Without root, only one session on the machine may be changed in this time (kernel/sched/autogroup.c). */
const SESSION_RETRY_MS = 110;
/** Many times what forty encoders need: other programs of the machine compete for the same moments. */
const MAX_SESSION_RETRIES = 400;

interface Encoder {
  readonly child: ChildProcess;
  niceness: number;
}

const encoders = new Set<Encoder>();

/** @returns niceness above that of this server, for a brief tool that starts now */
export function briefNiceness(): number {
  return nicenessFor("brief", encoders.size, availableParallelism());
}

/**
 * Sets the niceness of a tool that leads a session. A new encoder also raises the niceness of those that run already.
 * The niceness is not lowered when an encoder ends, because only root may do that.
 */
export function applyNiceness(child: ChildProcess, length: ToolLength): void {
  if (child.pid === undefined) return;
  if (length === "brief") return setProcessNiceness(child.pid, briefNiceness());
  const encoder: Encoder = { child, niceness: 0 };
  encoders.add(encoder);
  child.once("exit", () => encoders.delete(encoder));
  const niceness = nicenessFor("long", encoders.size, availableParallelism());
  for (const other of encoders) raiseNiceness(other, niceness);
}

function raiseNiceness(encoder: Encoder, niceness: number): void {
  if (niceness <= encoder.niceness || encoder.child.pid === undefined) return;
  encoder.niceness = niceness;
  // In a sandbox the encoder is a descendant of the process that was started.
  for (const pid of processTree(encoder.child.pid)) setProcessNiceness(pid, niceness);
  setSessionNiceness(encoder, niceness, MAX_SESSION_RETRIES);
}

function setProcessNiceness(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(MAX_SYSTEM_NICENESS, getPriority() + niceness));
  } catch (error) {
    // The tool has ended. Node names the reason of this call in `info`.
    if ((error as { info?: { code?: string } }).info?.code !== "ESRCH") throw error;
  }
}

function setSessionNiceness(encoder: Encoder, niceness: number, retriesLeft: number): void {
  const { child } = encoder;
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (encoder.niceness !== niceness) return;
  try {
    // All processes of a sandbox are in one session. Without root, the outer ones may not be changed.
    writeFileSync(`/proc/${processTree(child.pid).at(-1)}/autogroup`, String(niceness));
  } catch (error) {
    // Other errors: the tool has ended, or this kernel has no session groups and the niceness of the process is enough.
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || retriesLeft === 0) return;
    setTimeout(() => setSessionNiceness(encoder, niceness, retriesLeft - 1), SESSION_RETRY_MS).unref();
  }
}
