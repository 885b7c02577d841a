/**
 * CPU time, memory and disk writes of a process and its descendants, read from /proc (see proc(5)). The kernel adds the
 * CPU time of an ended child to its parent, so a sum over a running tree includes processes that have ended.
 */
import { readFileSync, readdirSync } from "node:fs";

/** `sysconf(_SC_CLK_TCK)`, 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface ProcessUse {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
  /** User and system time of the process itself. */
  readonly ownCpuSeconds: number;
  /** User and system time of ended children and their descendants. */
  readonly childCpuSeconds: number;
}

/** Parses a line of /proc/PID/stat. The command may contain spaces and brackets. */
export function parseStat(line: string): ProcessUse {
  const open = line.indexOf("(");
  const close = line.lastIndexOf(")");
  const rest = line.slice(close + 2).split(" ");
  const seconds = (field: number): number => Number(rest[field - 3]) / TICKS_PER_SECOND;
  return {
    pid: Number(line.slice(0, open)),
    parentPid: Number(rest[1]),
    command: line.slice(open + 1, close),
    ownCpuSeconds: seconds(14) + seconds(15),
    childCpuSeconds: seconds(16) + seconds(17),
  };
}

/** @returns what is read in /proc; null when the process or thread has ended */
export function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}

function readOrNull(file: string): string | null {
  return ifThere(() => readFileSync(file, "utf8"));
}

/** @returns the process and its descendants, without the processes in `leftOut` and their descendants */
export function readTree(rootPid: number, leftOut: readonly number[] = []): ProcessUse[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOrNull(`/proc/${pid}/stat`))
    .filter((line) => line !== null)
    .map(parseStat)
    .filter(({ pid }) => !leftOut.includes(pid));
  return descendants(all, rootPid);
}

/** @returns the process and its descendants */
export function descendants(all: readonly ProcessUse[], rootPid: number): ProcessUse[] {
  const children = Map.groupBy(all, ({ parentPid }) => parentPid);
  const found = all.filter(({ pid }) => pid === rootPid);
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function writtenBytes({ pid }: ProcessUse): number {
  const io = readOrNull(`/proc/${pid}/io`) ?? "";
  return Number(/^write_bytes: (\d+)/m.exec(io)?.[1] ?? 0);
}

const PAGE_BYTES = 4_096;

/**
 * Resident memory. Shared pages count for each process; reading the proportional share would take 25 ms for a large
 * process.
 */
export function residentBytes(pid: number): number {
  return Number(readOrNull(`/proc/${pid}/statm`)?.split(" ")[1] ?? 0) * PAGE_BYTES;
}

export interface Cost {
  /** Of the root process alone. */
  readonly ownCpuSeconds: number;
  /** Of its descendants without databases. */
  readonly toolCpuSeconds: number;
  /** Of these, of the children of the root process that run Python, with their descendants. */
  readonly extractorCpuSeconds: number;
  readonly databaseCpuSeconds: number;
  /** Written to disk, without databases, which write in the background. */
  readonly writtenBytes: number;
}

const DATABASES = new Set(["java", "mongod"]);

const isPython = (command: string): boolean => command.startsWith("python");

/** @returns the pid of the first child of a process */
export function childOf(parentPid: number): number | undefined {
  return readTree(parentPid).find((process) => process.parentPid === parentPid)?.pid;
}

/**
 * @param ownPid the process whose own CPU time is told apart from that of the others
 * @returns what a process tree has used since its start
 */
export function costOf(rootPid: number, leftOut: readonly number[] = [], ownPid = rootPid): Cost {
  const tree = readTree(rootPid, leftOut);
  const databases = tree.filter(({ command }) => DATABASES.has(command)).flatMap(({ pid }) => descendants(tree, pid));
  const ofDatabase = new Set(databases.map(({ pid }) => pid));
  const rest = tree.filter(({ pid }) => !ofDatabase.has(pid));
  const cpu = (of: readonly ProcessUse[]): number =>
    of.reduce((sum, { ownCpuSeconds, childCpuSeconds }) => sum + ownCpuSeconds + childCpuSeconds, 0);
  const ownCpuSeconds = tree.find(({ pid }) => pid === ownPid)?.ownCpuSeconds ?? 0;
  const ofChildren = rest.filter(({ parentPid }) => parentPid === ownPid).map(({ pid }) => descendants(rest, pid));
  const extractors = ofChildren.filter((processes) => processes.some(({ command }) => isPython(command)));
  return {
    ownCpuSeconds,
    toolCpuSeconds: cpu(rest) - ownCpuSeconds,
    extractorCpuSeconds: cpu(extractors.flat()),
    databaseCpuSeconds: cpu(databases),
    writtenBytes: rest.reduce((sum, process) => sum + writtenBytes(process), 0),
  };
}

/** @returns what was used between two calls of `costOf` */
export function costBetween(before: Cost, after: Cost): Cost {
  return {
    ownCpuSeconds: after.ownCpuSeconds - before.ownCpuSeconds,
    toolCpuSeconds: after.toolCpuSeconds - before.toolCpuSeconds,
    extractorCpuSeconds: after.extractorCpuSeconds - before.extractorCpuSeconds,
    databaseCpuSeconds: after.databaseCpuSeconds - before.databaseCpuSeconds,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}

export interface Memory {
  readonly ownBytes: number;
  readonly toolBytes: number;
}

export interface MemoryWatch extends Disposable {
  /** Largest values since the start. */
  readonly peak: Memory;
}

/** Reading takes some milliseconds of a core, which the measured processes lose. */
const READ_EVERY_MS = 250;

/** Our own processes are the root and the Python interpreter that it keeps loaded; a fork of that one is a tool. */
function isOwn({ pid, parentPid, command }: ProcessUse, rootPid: number, tree: readonly ProcessUse[]): boolean {
  const parent = tree.find((process) => process.pid === parentPid);
  return pid === rootPid || (isPython(command) && !isPython(parent?.command ?? ""));
}

/** Measures memory without databases until it is disposed. */
export function watchMemory(rootPid: number, leftOut: readonly number[] = []): MemoryWatch {
  let peak: Memory = { ownBytes: 0, toolBytes: 0 };
  const measure = (): void => {
    const tree = readTree(rootPid, leftOut).filter(({ command }) => !DATABASES.has(command));
    let ownBytes = 0;
    let toolBytes = 0;
    for (const process of tree) {
      const bytes = residentBytes(process.pid);
      if (isOwn(process, rootPid, tree)) ownBytes += bytes;
      else toolBytes += bytes;
    }
    peak = { ownBytes: Math.max(peak.ownBytes, ownBytes), toolBytes: Math.max(peak.toolBytes, toolBytes) };
  };
  measure();
  const timer = setInterval(measure, READ_EVERY_MS);
  return {
    get peak() {
      return peak;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
