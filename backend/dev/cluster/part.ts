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
/** Delay before a part that ended unexpectedly is restarted. */
const REVIVE_AFTER_MS = 500;

export interface PartOptions {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether the process is ready to serve. */
  isReady(): Promise<boolean>;
  /** Longest time until it is ready; one minute unless given. */
  readonly startTimeoutMs?: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly stopTimeoutMs: number;
  /** Whether to restart it when it ends unexpectedly. */
  readonly isRevived?: boolean | undefined;
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

/** @returns a part that is not started yet */
export function createPart(options: PartOptions): Part {
  return new ProcessPart(options);
}

class ProcessPart implements Part {
  readonly name: string;
  readonly output: string[] = [];
  readonly #options: PartOptions;
  #child: ChildProcess | undefined;
  /** Settles when the current child has ended. */
  #ended: Promise<unknown> = Promise.resolve();
  /** False after `kill` and `stop`. */
  #shouldRun = false;

  constructor(options: PartOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    if (this.#child) throw new Error(`${this.name} runs already`);
    this.#shouldRun = true;
    const { command, cwd, env, onOutput } = this.#options;
    const [program, ...args] = command;
    const started = spawn(...boundToParent(program, args), {
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group, so that Ctrl-C in the terminal does not end it out of order.
      detached: true,
      cwd,
      env: { ...process.env, ...env },
    });
    this.#child = started;
    for (const stream of [started.stdout, started.stderr])
      createInterface(stream).on("line", (line) => {
        this.output.push(line);
        onOutput?.(line);
        if (this.output.length > KEPT_LINES) this.output.shift();
      });
    this.#ended = once(started, "close").catch((error: unknown) => this.output.push(String(error)));
    void this.#ended.then(() => this.#reviveAfterEnd(started));
    await this.#untilReady(started);
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #untilReady(started: ChildProcess): Promise<void> {
    const { startTimeoutMs = START_TIMEOUT_MS } = this.#options;
    const deadlineMs = Date.now() + startTimeoutMs;
    const lastLines = () => this.output.slice(-3).join(" / ");
    while (!(await this.#options.isReady().catch(() => false))) {
      if (this.#child !== started) throw new SetUpError(`${this.name} does not start: ${lastLines()}`);
      if (Date.now() > deadlineMs)
        throw new SetUpError(`${this.name} is not ready after ${startTimeoutMs / 1_000} s: ${lastLines()}`);
      await delay(READY_POLL_MS);
    }
  }

  #reviveAfterEnd(ended: ChildProcess): void {
    const { isRevived, report = () => undefined } = this.#options;
    if (this.#child !== ended) return;
    this.#child = undefined;
    if (!this.#shouldRun || !isRevived) return;
    report(`${this.name} has ended unexpectedly; restarting it`);
    setTimeout(() => {
      if (this.#shouldRun && !this.#child) this.start().catch((error: unknown) => report(String(error)));
    }, REVIVE_AFTER_MS);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#shouldRun = false;
    const child = this.#child;
    if (!child) return;
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), this.#options.stopTimeoutMs);
    await this.#ended;
    clearTimeout(timer);
    if (this.#child === child) this.#child = undefined;
  }
}
