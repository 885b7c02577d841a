/** One process of a cluster: started, watched, killed and started again on the same address. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { boundToParent } from "../setup/run-tool.ts";
import { SetUpError } from "../setup/set-up-error.ts";

const START_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;
/** Kept for whoever asks why it ended. */
const KEPT_LINES = 400;
/** A part that dies by itself comes back after this, where that was asked for. */
const REVIVE_AFTER_MS = 500;

export interface PartOptions {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether it does its work now. */
  isReady(): Promise<boolean>;
  /** Between asking it to end and ending it. */
  readonly stopTimeoutMs: number;
  /** Starts it again when it ends without being told to. */
  readonly isRevived?: boolean;
  readonly report?: (line: string) => void;
  /** Hears every line it prints. */
  readonly onOutput?: (line: string) => void;
}

export interface Part {
  readonly name: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** What it printed last. */
  readonly output: readonly string[];
  /** Resolves when it is ready. @throws SetUpError when it ends or is silent instead */
  start(): Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, in time SIGKILL; resolves when it is gone. Of one that does not run: at once. */
  stop(): Promise<void>;
}

export function createPart(options: PartOptions): Part {
  const { name, command, report = () => undefined } = options;
  const output: string[] = [];
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let isWanted = false;

  async function start(): Promise<void> {
    if (child) throw new Error(`${name} runs already`);
    isWanted = true;
    const [program, ...args] = command;
    const started = spawn(...boundToParent(program, args), {
      stdio: ["ignore", "pipe", "pipe"],
      // Out of reach of the terminal's Ctrl-C: the order of stopping is ours.
      detached: true,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
    });
    child = started;
    for (const stream of [started.stdout, started.stderr])
      createInterface(stream).on("line", (line) => {
        output.push(line);
        options.onOutput?.(line);
        if (output.length > KEPT_LINES) output.shift();
      });
    ended = once(started, "close").catch((error: unknown) => output.push(String(error)));
    void ended.then(() => onEnd(started));
    await untilReady(started);
  }

  async function untilReady(started: ChildProcess): Promise<void> {
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    while (!(await options.isReady().catch(() => false))) {
      if (child !== started) throw new SetUpError(`${name} does not start: ${output.slice(-3).join(" / ")}`);
      if (Date.now() > deadlineMs) throw new SetUpError(`${name} is not ready after ${START_TIMEOUT_MS / 1_000} s: ${output.slice(-3).join(" / ")}`);
      await delay(READY_POLL_MS);
    }
  }

  function onEnd(which: ChildProcess): void {
    if (child !== which) return;
    child = undefined;
    if (!isWanted || !options.isRevived) return;
    report(`${name} has ended by itself; it is started again`);
    setTimeout(() => {
      if (isWanted && !child) start().catch((error: unknown) => report(String(error)));
    }, REVIVE_AFTER_MS);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    isWanted = false;
    const current = child;
    if (!current) return;
    current.kill(signal);
    const timer = setTimeout(() => current.kill("SIGKILL"), options.stopTimeoutMs);
    await ended;
    clearTimeout(timer);
    if (child === current) child = undefined;
  }

  return {
    name,
    get pid() {
      return child?.pid;
    },
    output,
    start,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}
