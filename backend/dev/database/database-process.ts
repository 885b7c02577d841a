/** One database server as a child process: started, watched, ended. Knows nothing of which server it is. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { boundToParent } from "../setup/run-tool.ts";
import { SetUpError } from "../setup/set-up-error.ts";

export interface DatabaseExit {
  /** True after a stop that was asked for. */
  readonly isExpected: boolean;
  /** What it ended with and said last, for the log. */
  readonly reason: string;
}

export interface DatabaseProcess {
  readonly pid: number;
  readonly port: number;
  readonly exited: Promise<DatabaseExit>;
  stop(): void;
}

/** Longest start: a mongod that replays its journal after a crash. */
const START_TIMEOUT_MS = 60_000;
/** A child that does not close its files in this time is killed; both servers recover from that. */
const STOP_TIMEOUT_MS = 6_000;
/** What a server left behind by a killed process gets to end by itself before it is ended. */
const ORPHAN_TIMEOUT_MS = 6_000;

/** How the servers say that they take connections: ours, mongod since 4.4, mongod before. */
const LISTENING = [
  /^listening (\d+)$/,
  /"Waiting for connections".*"port":(\d+)/,
  /waiting for connections on port (\d+)/,
];

/**
 * Starts a server and waits until it says its port. The child is in a process group of its own, so
 * that a Ctrl-C in the terminal leaves the order of stopping to us, and is told to end when this
 * process dies.
 * @throws SetUpError when it ends or is silent instead; the signal's reason when aborted.
 */
export async function startDatabaseProcess(options: {
  readonly kind: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** The server's files; part of its command line, by which an orphan is recognised. */
  readonly folder: string;
  readonly pidFile: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<DatabaseProcess> {
  const { kind, command, folder, pidFile, signal } = options;
  await endOrphan(pidFile, folder);
  signal?.throwIfAborted();
  const [program, ...args] = command;
  const child = spawn(...boundToParent(program, args), { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const listening = Promise.withResolvers<number>();
  const exited = Promise.withResolvers<DatabaseExit>();
  let isStopping = false;
  let lastLine = "";
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on("line", (line) => {
      if (line.trim() !== "") lastLine = line.trim();
      const port = LISTENING.map((pattern) => pattern.exec(line)?.[1]).find((match) => match !== undefined);
      if (port !== undefined) listening.resolve(Number(port));
    });
  const onEnd = (outcome: string) => {
    const reason = `${outcome}: ${lastLine.slice(0, 300)}`;
    listening.reject(
      new SetUpError(
        `The embedded database (${kind}) does not start (${reason}); look into ${folder}, or set EMBEDDED_DB.`,
      ),
    );
    exited.resolve({ isExpected: isStopping, reason });
  };
  child.once("error", (error) => onEnd(error.message));
  child.once("close", (code, killedBy) => onEnd(`ended with ${code ?? killedBy}`));

  let killTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    child.kill("SIGTERM");
    killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  };
  const whenEnded = exited.promise.then(async (exit) => {
    clearTimeout(killTimer);
    await rm(pidFile, { force: true });
    return exit;
  });
  const startTimer = setTimeout(
    () =>
      listening.reject(
        new SetUpError(`The embedded database (${kind}) is silent; look into ${folder}, or set EMBEDDED_DB.`),
      ),
    START_TIMEOUT_MS,
  );
  const abort = () => listening.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    if (child.pid !== undefined) await writeFile(pidFile, `${child.pid}\n`);
    const port = await listening.promise;
    return { pid: child.pid ?? 0, port, exited: whenEnded, stop };
  } catch (error) {
    stop();
    await whenEnded;
    throw error;
  } finally {
    clearTimeout(startTimer);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * After a kill -9 of its parent a server may still be closing its files, or, where there is no
 * setpriv, run on. The caller holds the folder's lock, so whoever the file names has no owner.
 */
async function endOrphan(pidFile: string, folder: string): Promise<void> {
  const pid = Number(readIfThere(pidFile)?.trim());
  if (!Number.isInteger(pid) || pid <= 1) return;
  // The number may belong to another program by now. Without /proc the server's own file lock has the last word.
  const isOrphan = () => readIfThere(`/proc/${pid}/cmdline`)?.includes(folder) ?? false;
  if (!isOrphan()) return;
  signalIfThere(pid, "SIGTERM");
  const deadlineMs = Date.now() + ORPHAN_TIMEOUT_MS;
  while (isOrphan() && Date.now() < deadlineMs) await delay(20);
  if (isOrphan()) signalIfThere(pid, "SIGKILL");
  while (isOrphan()) await delay(20);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // ESRCH: the process ended while its /proc entry was read.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}
