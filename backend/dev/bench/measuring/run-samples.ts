/**
 * What a tree of processes does between two looks at it, by the kernel's count of each thread's time (schedstat, see
 * sched-stats in the kernel's documentation): time on a core, and time in the queue for one. A busy machine makes the
 * second longer and adds nothing to the time in which no thread wants a core.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { z } from "zod";
import { ifThere } from "./process-tree.ts";

export const RunSample = z.object({
  /** Milliseconds since 1970. */
  fromMs: z.number(),
  toMs: z.number(),
  /** Of all threads together. */
  cpuMs: z.number(),
  /** Time on a core or in the queue for one, of all threads together. */
  wantedMs: z.number(),
  /** Whether a thread was on a core, in the queue for one or waited for a disk at the end. */
  isActiveAtEnd: z.boolean(),
});
export type RunSample = z.infer<typeof RunSample>;

interface ThreadFiles {
  readonly schedstat: number;
  readonly stat: number;
  cpuNs: number;
  wantedNs: number;
}

const NS_PER_MS = 1e6;
const text = Buffer.alloc(512);

/** @returns null when the thread has ended */
function readAgain(descriptor: number): string | null {
  return ifThere(() => text.toString("latin1", 0, readSync(descriptor, text, 0, text.length, 0)));
}

/** State and parent of a line of /proc/PID/stat, whose command may contain spaces and brackets. */
function readStat(line: string): { state: string; parentPid: number } {
  const [state = "", parentPid = ""] = line.slice(line.lastIndexOf(")") + 2).split(" ", 2);
  return { state, parentPid: Number(parentPid) };
}

/** A process and its descendants. Keeps the files of all threads open, so that a look takes about a millisecond. */
export class ThreadTree {
  readonly #leftOut: ReadonlySet<number>;
  /** Of every process of the machine, whether it is in the tree. */
  #isOurs = new Map<number, boolean>();
  readonly #threads = new Map<string, ThreadFiles>();
  #lastMs: number;

  /** @param leftOut processes of the tree that are not looked at, with their descendants */
  constructor(rootPid: number, leftOut: readonly number[], nowMs: number) {
    this.#leftOut = new Set(leftOut);
    this.#isOurs.set(rootPid, true);
    this.#lastMs = nowMs;
    this.look(nowMs);
  }

  /** @returns what happened since the last look */
  look(nowMs: number): RunSample {
    let cpuNs = 0;
    let wantedNs = 0;
    let isActiveAtEnd = false;
    const seen = new Set<string>();
    for (const pid of this.#processes())
      for (const thread of ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
        const files = this.#open(pid, thread);
        if (!files) continue;
        const schedstat = readAgain(files.schedstat);
        const stat = readAgain(files.stat);
        if (schedstat === null || stat === null) continue;
        seen.add(thread);
        const [ran = 0, queued = 0] = schedstat.split(" ", 2).map(Number);
        cpuNs += ran - files.cpuNs;
        wantedNs += ran + queued - files.wantedNs;
        Object.assign(files, { cpuNs: ran, wantedNs: ran + queued });
        isActiveAtEnd ||= "RD".includes(readStat(stat).state);
      }
    this.#close((thread) => !seen.has(thread));
    const fromMs = this.#lastMs;
    this.#lastMs = nowMs;
    return { fromMs, toMs: nowMs, cpuMs: cpuNs / NS_PER_MS, wantedMs: wantedNs / NS_PER_MS, isActiveAtEnd };
  }

  close(): void {
    this.#close(() => true);
  }

  #processes(): number[] {
    const known = new Map<number, boolean>();
    // A parent has been started before its children, and nearly always has the lower number.
    for (const pid of readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number))
      known.set(pid, this.#isOurs.get(pid) ?? this.#isChildOf(known, pid));
    this.#isOurs = known;
    return [...known].flatMap(([pid, isOurs]) => (isOurs ? pid : []));
  }

  #isChildOf(isOurs: ReadonlyMap<number, boolean>, pid: number): boolean {
    if (this.#leftOut.has(pid)) return false;
    const line = ifThere(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
    return line !== null && (isOurs.get(readStat(line).parentPid) ?? false);
  }

  #open(pid: number, thread: string): ThreadFiles | undefined {
    const open = this.#threads.get(thread);
    if (open) return open;
    const folder = `/proc/${pid}/task/${thread}`;
    const schedstat = ifThere(() => openSync(`${folder}/schedstat`, "r"));
    if (schedstat === null) return undefined;
    const stat = ifThere(() => openSync(`${folder}/stat`, "r"));
    if (stat === null) {
      closeSync(schedstat);
      return undefined;
    }
    const files = { schedstat, stat, cpuNs: 0, wantedNs: 0 };
    this.#threads.set(thread, files);
    return files;
  }

  #close(isEnded: (thread: string) => boolean): void {
    for (const [thread, { schedstat, stat }] of this.#threads)
      if (isEnded(thread)) {
        closeSync(schedstat);
        closeSync(stat);
        this.#threads.delete(thread);
      }
  }
}
