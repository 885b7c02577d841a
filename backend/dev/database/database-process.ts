/** Starts, watches and ends one database server as a child process, whichever server it is. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { boundToParent } from "../setup/run-tool.ts";
import { SetUpError } from "../setup/set-up-error.ts";

export interface DatabaseExit {
  /** True after `stop`. */
  readonly isExpected: boolean;
  /** Exit code or signal, and the last line of output. */
  readonly reason: string;
}

export interface DatabaseProcess {
  readonly pid: number;
  readonly port: number;
  readonly exited: Promise<DatabaseExit>;
  stop(): void;
}

/** Long enough for a mongod that replays its journal after a crash. */
const START_TIMEOUT_MS = 60_000;
/** Time between SIGTERM and SIGKILL; both servers recover from SIGKILL. */
const STOP_TIMEOUT_MS = 6_000;
/** Time that an orphaned server gets after SIGTERM. */
const ORPHAN_TIMEOUT_MS = 6_000;

/** The line that a server prints when it takes connections: ours, mongod since 4.4, mongod before. */
const LISTENING = [
  /^listening (\d+)$/,
  /"Waiting for connections".*"port":(\d+)/,
  /waiting for connections on port (\d+)/,
];

export interface DatabaseProcessOptions {
  /** For error messages. */
  readonly kind: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** The server's files. It is part of the command line, by which an orphan is recognised. */
  readonly folder: string;
  readonly pidFile: string;
  /** Handed over by the environment, which other users cannot see. A mongod reads its key file instead. */
  readonly password: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a server and waits until it prints its port. The child has its own process group, so that a Ctrl-C in the
 * terminal does not end it before us, and gets SIGTERM when this process dies.
 * @throws SetUpError when it ends or prints no port in time; the signal's reason when aborted
 */
export async function startDatabaseProcess(options: DatabaseProcessOptions): Promise<DatabaseProcess> {
  const { pidFile, folder, signal } = options;
  await endOrphan(pidFile, folder);
  signal?.throwIfAborted();
  const server = new ServerChild(options);
  const abort = () => server.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => server.reject(startError(options, "is silent")), START_TIMEOUT_MS);
  try {
    // At once, because the server may end before anything else waits for it.
    if (server.pid > 0) writeFileSync(pidFile, `${server.pid}\n`);
    const port = await server.listening;
    return { pid: server.pid, port, exited: server.exited, stop: () => server.stop() };
  } catch (error) {
    server.stop();
    await server.exited;
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

class ServerChild {
  readonly pid: number;
  /** Settles when the child and its pid file are gone. */
  readonly exited: Promise<DatabaseExit>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #options: DatabaseProcessOptions;
  readonly #port = Promise.withResolvers<number>();
  readonly #ended = Promise.withResolvers<DatabaseExit>();
  #lastLine = "";
  #isStopping = false;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(options: DatabaseProcessOptions) {
    const [program, ...args] = options.command;
    this.#options = options;
    this.#child = spawn(...boundToParent(program, args), {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      env: { ...process.env, DATABASE_PASSWORD: options.password },
    });
    this.pid = this.#child.pid ?? 0;
    for (const stream of [this.#child.stdout, this.#child.stderr])
      createInterface(stream).on("line", (line) => this.#read(line));
    this.#child.once("error", (error) => this.#end(error.message));
    this.#child.once("close", (code, killedBy) => this.#end(`ended with ${nameOfEnd(code, killedBy)}`));
    this.exited = this.#ended.promise.then(async (exit) => {
      clearTimeout(this.#killTimer);
      await rm(options.pidFile, { force: true });
      return exit;
    });
  }

  /** Resolves with the port when the server takes connections. */
  get listening(): Promise<number> {
    return this.#port.promise;
  }

  /** Makes `listening` reject unless the server listens already. */
  reject(reason: unknown): void {
    this.#port.reject(reason);
  }

  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#child.kill("SIGTERM");
    this.#killTimer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  }

  #read(line: string): void {
    if (line.trim() !== "") this.#lastLine = line.trim();
    const port = LISTENING.map((pattern) => pattern.exec(line)?.[1]).find((match) => match !== undefined);
    if (port !== undefined) this.#port.resolve(Number(port));
  }

  #end(outcome: string): void {
    const reason = `${outcome}: ${this.#lastLine.slice(0, 300)}`;
    this.reject(startError(this.#options, `does not start (${reason})`));
    this.#ended.resolve({ isExpected: this.#isStopping, reason });
  }
}

function nameOfEnd(code: number | null, killedBy: NodeJS.Signals | null): string {
  if (killedBy !== "SIGILL") return String(code ?? killedBy);
  return "SIGILL, as a MongoDB from 5 on does where the processor has no AVX or is an ARM older than ARMv8.2-A";
}

function startError({ kind, folder }: DatabaseProcessOptions, problem: string): SetUpError {
  return new SetUpError(`The embedded database (${kind}) ${problem}; look into ${folder}, or set EMBEDDED_DB.`);
}

/**
 * Ends the server that the pid file names. After SIGKILL of its parent a server may still be closing its files, or,
 * without setpriv, run on. The caller holds the folder's lock, so the server belongs to no running process.
 */
async function endOrphan(pidFile: string, folder: string): Promise<void> {
  const pid = Number(readIfExists(pidFile)?.trim());
  if (!Number.isInteger(pid) || pid <= 1) return;
  // The number may belong to another program by now. Without /proc, only the server's own file lock protects the files.
  const isOrphan = () => readIfExists(`/proc/${pid}/cmdline`)?.includes(folder) ?? false;
  if (!isOrphan()) return;
  signalIfRunning(pid, "SIGTERM");
  const deadlineMs = Date.now() + ORPHAN_TIMEOUT_MS;
  while (isOrphan() && Date.now() < deadlineMs) await delay(20);
  if (isOrphan()) signalIfRunning(pid, "SIGKILL");
  while (isOrphan()) await delay(20);
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // ESRCH: the process ended while its /proc entry was read.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}
