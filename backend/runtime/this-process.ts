/** Names this process so that another one can tell whether it still lives, even after a `kill -9`. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

export const ProcessName = z.object({
  /** Equal for processes that can see each other: one boot of one machine, one namespace of process ids. */
  machine: z.string(),
  host: z.string(),
  pid: z.number(),
  /** In ticks since the boot; a process id may be given to another process. Empty where there is no /proc. */
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

/** True only when it is certain: of a process of another machine nothing is known. */
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

/** Null: there is none of that number. */
function readProcess(pid: number): { readonly startedAt: string; readonly isOver: boolean } | null {
  const stat = read(`/proc/${pid}/stat`);
  // proc_pid_stat(5): the second field is the command in parentheses and may hold any character; the state is the third
  // field, the start the 22nd.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startedAt = rest[18];
  return startedAt === undefined ? null : { startedAt, isOver: state === "Z" || state === "X" };
}

/** Empty where there is no such file. */
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
    // EPERM: it is there and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** ESRCH: the process ended while its entry was read. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EACCES"].includes(String(error.code));
}
