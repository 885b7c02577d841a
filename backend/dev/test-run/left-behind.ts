/** Finds the processes and ports that a test leaves behind. It reads /proc, so it finds nothing outside Linux. */
import { readdir, readFile, readlink } from "node:fs/promises";

/** Marks the processes that a test file starts; those that they start inherit it. */
export const MARK = "TAPEDECK_TEST_FILE";

/** State of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";

/** @returns the content; empty when the process has ended or belongs to another user */
async function readOr<T>(read: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EACCES"].includes(String(error.code)))
      return otherwise;
    throw error;
  }
}

const processIds = async (): Promise<string[]> =>
  (await readOr(readdir("/proc"), [])).filter((name) => /^\d+$/.test(name));

/** @returns "PID NAME" of the running descendants of this process */
export async function descendants(): Promise<string[]> {
  const children = new Map<string, { pid: string; name: string; state: string }[]>();
  for (const pid of await processIds()) {
    const stat = await readOr(readFile(`/proc/${pid}/stat`, "utf8"), "");
    // The name is in brackets and may contain any character.
    const [, name = "", state = "", parent = ""] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    children.set(parent, [...(children.get(parent) ?? []), { pid, name, state }]);
  }
  const found: string[] = [];
  const parents = [String(process.pid)];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop())
    for (const { pid, name, state } of children.get(parent) ?? []) {
      parents.push(pid);
      if (state !== "Z") found.push(`${pid} ${name}`);
    }
  return found;
}

/** @returns "PID NAME" of the running processes that a test file started, also of those whose parent has ended */
export async function markedProcesses(mark: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await processIds()) {
    if (pid === String(process.pid)) continue;
    const environment = await readOr(readFile(`/proc/${pid}/environ`, "utf8"), "");
    if (!environment.split("\0").includes(`${MARK}=${mark}`)) continue;
    found.push(`${pid} ${(await readOr(readFile(`/proc/${pid}/comm`, "utf8"), "")).trim()}`);
  }
  return found;
}

/** @returns the TCP ports on which this process listens */
export async function listeningPorts(): Promise<number[]> {
  const ports = new Map<string, number>();
  for (const table of ["/proc/self/net/tcp", "/proc/self/net/tcp6"])
    for (const line of (await readOr(readFile(table, "utf8"), "")).split("\n")) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === LISTENING) ports.set(inode, Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16));
    }
  const own = new Set<number>();
  for (const fd of await readOr(readdir("/proc/self/fd"), [])) {
    const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(await readOr(readlink(`/proc/self/fd/${fd}`), "")) ?? [];
    const port = ports.get(inode);
    if (port !== undefined) own.add(port);
  }
  return [...own];
}
