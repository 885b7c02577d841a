/** One process of a cluster, which can be killed and started again at the same address. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { boundToParent } from "../setup/run-tool.ts";
import { SetUpError } from "../setup/set-up-error.ts";

const START_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;
/** Last lines of output, for error messages. */
const KEPT_LINES = 400;
/** Delay before a part that ended by itself is started again. */
const REVIVE_AFTER_MS = 500;

export interface PartOptions {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether the process is ready to serve. */
  isReady(): Promise<boolean>;
  /** Time between SIGTERM and SIGKILL. */
  readonly stopTimeoutMs: number;
  /** Whether to start it again when it ends by itself. */
  readonly isRevived?: boolean;
  readonly report?: (line: string) => void;
  /** Gets every line of its output. */
  readonly onOutput?: (line: string) => void;
}

export interface Part {
  readonly name: string;
  /** Undefined while the process does not run. */
  readonly pid: number | undefined;
  /** The last lines of its output. */
  readonly output: readonly string[];
  /**
   * Starts the process and waits until it is ready.
   * @throws SetUpError when it ends or is not ready in time
   */
  start(): Promise<void>;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM, then SIGKILL after `stopTimeoutMs`, and waits until the process has ended, if it runs. */
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
      // Its own process group, so that Ctrl-C in the terminal does not end it out of order.
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
      if (Date.now() > deadlineMs)
        throw new SetUpError(
          `${name} is not ready after ${START_TIMEOUT_MS / 1_000} s: ${output.slice(-3).join(" / ")}`,
        );
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
