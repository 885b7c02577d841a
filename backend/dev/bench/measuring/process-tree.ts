/**
 * What a process and its descendants have used, read from /proc (see proc(5)). A parent takes over the
 * figures of a child it has waited for, so sums over a living tree lose nothing to processes that end.
 */
import { readFileSync, readdirSync } from "node:fs";

/** `sysconf(_SC_CLK_TCK)`, 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface ProcessUse {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
  /** User and system, its own. */
  readonly ownCpuSeconds: number;
  /** Of children it has waited for, and theirs. */
  readonly childCpuSeconds: number;
}

/** Reads a line of /proc/PID/stat. Pure; the command may itself hold spaces and brackets. */
export function parseStat(line: string): ProcessUse {
  const [open, close] = [line.indexOf("("), line.lastIndexOf(")")];
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

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It has ended between two looks.
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}

/** The process and all below it, as they are now; without those left out and what is below them. */
export function readTree(rootPid: number, leftOut: readonly number[] = []): ProcessUse[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOrNull(`/proc/${pid}/stat`))
    .filter((line) => line !== null)
    .map(parseStat)
    .filter(({ pid }) => !leftOut.includes(pid));
  return descendants(all, rootPid);
}

/** Pure. */
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
 * Resident; a page shared by several counts for each. Its proportional share would cost 25 ms a look at a large
 * process.
 */
function residentBytes({ pid }: ProcessUse): number {
  return Number(readOrNull(`/proc/${pid}/statm`)?.split(" ")[1] ?? 0) * PAGE_BYTES;
}

export interface Cost {
  /** Of the process at the root alone. */
  readonly ownCpuSeconds: number;
  /** Of all below it, databases apart. */
  readonly toolCpuSeconds: number;
  readonly databaseCpuSeconds: number;
  /** To the disk, without the database's: that writes what it likes when it likes. */
  readonly writtenBytes: number;
}

const DATABASES = new Set(["java", "mongod"]);

/** What a tree has used since it came to be. */
export function costOf(rootPid: number, leftOut: readonly number[] = []): Cost {
  const tree = readTree(rootPid, leftOut);
  const databases = tree.filter(({ command }) => DATABASES.has(command)).flatMap(({ pid }) => descendants(tree, pid));
  const ofDatabase = new Set(databases.map(({ pid }) => pid));
  const rest = tree.filter(({ pid }) => !ofDatabase.has(pid));
  const cpu = (of: readonly ProcessUse[]): number =>
    of.reduce((sum, { ownCpuSeconds, childCpuSeconds }) => sum + ownCpuSeconds + childCpuSeconds, 0);
  const ownCpuSeconds = tree.find(({ pid }) => pid === rootPid)?.ownCpuSeconds ?? 0;
  return {
    ownCpuSeconds,
    toolCpuSeconds: cpu(rest) - ownCpuSeconds,
    databaseCpuSeconds: cpu(databases),
    writtenBytes: rest.reduce((sum, process) => sum + writtenBytes(process), 0),
  };
}

/** What was used between two looks. Pure. */
export function costBetween(before: Cost, after: Cost): Cost {
  return {
    ownCpuSeconds: after.ownCpuSeconds - before.ownCpuSeconds,
    toolCpuSeconds: after.toolCpuSeconds - before.toolCpuSeconds,
    databaseCpuSeconds: after.databaseCpuSeconds - before.databaseCpuSeconds,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}

export interface Memory {
  readonly ownBytes: number;
  readonly toolBytes: number;
}

export interface MemoryWatch extends Disposable {
  /** The most that each had at a time, since the start. */
  readonly peak: Memory;
}

/** A look is some milliseconds of a core, which are taken from what is measured. */
const LOOK_EVERY_MS = 250;

/** Our own are the process at the root and the interpreter it keeps loaded; what that one forks is a tool. */
function isOwn({ pid, parentPid, command }: ProcessUse, rootPid: number, tree: readonly ProcessUse[]): boolean {
  const isPython = (name: string | undefined): boolean => name?.startsWith("python") ?? false;
  return (
    pid === rootPid || (isPython(command) && !isPython(tree.find((process) => process.pid === parentPid)?.command))
  );
}

/** Looks until disposed of. Databases are left out. */
export function watchMemory(rootPid: number, leftOut: readonly number[] = []): MemoryWatch {
  let peak: Memory = { ownBytes: 0, toolBytes: 0 };
  const look = (): void => {
    const tree = readTree(rootPid, leftOut).filter(({ command }) => !DATABASES.has(command));
    let [ownBytes, toolBytes] = [0, 0];
    for (const process of tree) {
      const bytes = residentBytes(process);
      if (isOwn(process, rootPid, tree)) ownBytes += bytes;
      else toolBytes += bytes;
    }
    peak = { ownBytes: Math.max(peak.ownBytes, ownBytes), toolBytes: Math.max(peak.toolBytes, toolBytes) };
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    get peak() {
      return peak;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
