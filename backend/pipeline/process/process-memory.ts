/**
 * How much memory a process and its descendants hold, from /proc; zero where there is no /proc. It is read without
 * waiting: the kernel answers from memory in some ten microseconds, and handing each read to a thread and back, several
 * times a second for every tool, was a hundredth of a core.
 */
import { readdirSync, readFileSync } from "node:fs";

/** A process may end between any two reads; what is gone holds nothing. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}

const readText = (path: string): string => orNothing(() => readFileSync(path, "utf8"), "");

function childPids(pid: number): number[] {
  const threads = orNothing(() => readdirSync(`/proc/${pid}/task`), []);
  const lists = threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`));
  return lists.join(" ").split(/\s+/).filter(Boolean).map(Number);
}

/** Resident bytes of the process and all below it. */
export function residentBytes(pid: number): number {
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024;
  return childPids(pid).reduce((sum, child) => sum + residentBytes(child), own);
}
