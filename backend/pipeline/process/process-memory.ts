/**
 * Finds the descendants of a process and their memory in /proc; none on systems without /proc. The reads are
 * synchronous because one takes about 10 microseconds. Asynchronous reads through the thread pool, several a second for
 * every tool, took 1 percent of a core.
 */
import { readdirSync, readFileSync } from "node:fs";

/** @returns `fallback` when the read fails, because a process may end between two reads */
function readOr<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

const readText = (path: string): string => readOr(() => readFileSync(path, "utf8"), "");

function childPids(pid: number): number[] {
  const threads = readOr(() => readdirSync(`/proc/${pid}/task`), []);
  const lists = threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`));
  return lists.join(" ").split(/\s+/).filter(Boolean).map(Number);
}

const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024;

/** @returns the process and its descendants, parents first; at most one more than `maxCount` */
export function processTree(pid: number, maxCount = Infinity): number[] {
  const pids = [pid];
  // The list grows while it is read.
  for (const each of pids) {
    if (pids.length > maxCount) return pids.slice(0, maxCount + 1);
    pids.push(...childPids(each));
  }
  return pids;
}

/**
 * Measures a process and all its descendants.
 * @param maxCount no more processes than one beyond this are read
 */
export function measureProcesses(pid: number, maxCount: number): { memoryBytes: number; count: number } {
  const pids = processTree(pid, maxCount);
  return { memoryBytes: pids.reduce((sum, each) => sum + memoryOf(each), 0), count: pids.length };
}
