/** Identifies a process so that another one on the same machine can detect that it has ended, even by `kill -9`. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

export const ProcessName = z.object({
  /** Equal for processes of the same boot, machine and namespace of process ids, which can see each other. */
  machine: z.string(),
  host: z.string(),
  pid: z.number(),
  /** In ticks since the boot, because process ids are reused. Empty on systems without /proc. */
  startedAt: z.string(),
});
export type ProcessName = z.infer<typeof ProcessName>;

export function nameThisProcess(): ProcessName {
  return {
    machine: nameMachine(),
    host: hostname(),
    pid: process.pid,
    startedAt: readProcess(process.pid)?.startedAt ?? "",
  };
}

/** @returns true only when it is certain; never for a process of another machine */
export function hasEnded({ machine, pid, startedAt }: ProcessName): boolean {
  if (machine !== nameMachine()) return false;
  if (startedAt === "") return !takesSignals(pid);
  const now = readProcess(pid);
  return now === null || now.startedAt !== startedAt || now.isOver;
}

function nameMachine(): string {
  return [hostname(), read("/proc/sys/kernel/random/boot_id"), readNamespace()].join(" ").trim();
}

/** Two containers on one machine may have equal names and process ids. */
function readNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

/** @returns null when there is no process with this id */
function readProcess(pid: number): { readonly startedAt: string; readonly isOver: boolean } | null {
  const stat = read(`/proc/${pid}/stat`);
  // proc_pid_stat(5): the second field is the command in parentheses and may hold any character; the state is the third
  // field, the start the 22nd.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startedAt = rest[18];
  return startedAt === undefined ? null : { startedAt, isOver: state === "Z" || state === "X" };
}

/** @returns an empty string when there is no such file */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

function takesSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** ESRCH: the process ended while its entry was read. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EACCES"].includes(String(error.code));
}
