/** How much memory a process and its descendants hold, from /proc; zero where there is no /proc. */
import { readdir, readFile } from "node:fs/promises";

async function readOrNothing(path: string): Promise<string> {
  // A process may end between any two reads; what is gone holds nothing.
  return readFile(path, "utf8").catch(() => "");
}

async function childPids(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => readOrNothing(`/proc/${pid}/task/${thread}/children`)));
  return lists.join(" ").split(/\s+/).filter(Boolean).map(Number);
}

/** Resident bytes of the process and all below it. */
export async function residentBytes(pid: number): Promise<number> {
  const [status, children] = await Promise.all([readOrNothing(`/proc/${pid}/status`), childPids(pid)]);
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  const below = await Promise.all(children.map(residentBytes));
  return below.reduce((sum, bytes) => sum + bytes, own);
}
