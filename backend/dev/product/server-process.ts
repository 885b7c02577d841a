/** A server program as a child process, which can be killed, paused and started again at the same address. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { boundToParent } from "../setup/run-tool.ts";
import { SetUpError } from "../setup/set-up-error.ts";

/** A busy machine needs several times longer than an idle one. */
const START_TIMEOUT_MS = 4 * 60_000;
const STOP_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;
/** Last lines of output that are kept. */
const KEPT_LINES = 10_000;
/** Delay before a process that ended unexpectedly is restarted. */
const REVIVE_AFTER_MS = 500;

export interface ServerProcessOptions {
  /** For messages. */
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A line that it prints when it is ready, or a question that is repeated until it is. */
  readonly ready: RegExp | (() => Promise<boolean>);
  /** Time between SIGTERM and SIGKILL; one minute unless given. */
  readonly stopTimeoutMs?: number | undefined;
  /** Whether to restart it when it ends unexpectedly. */
  readonly isRevived?: boolean | undefined;
  readonly report?: ((line: string) => void) | undefined;
  /** Gets every line of its output. */
  readonly onOutput?: ((line: string) => void) | undefined;
}

/** Not started yet when it is made. It gets SIGTERM when this process dies. */
export class ServerProcess implements AsyncDisposable {
  readonly name: string;
  /** The last lines of its output. */
  readonly output: string[] = [];
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;
  #readyLine: RegExpExecArray | null = null;
  /** Settles when the current child has ended. */
  #ended: Promise<unknown> = Promise.resolve();
  /** False after `kill` and `stop`. */
  #shouldRun = false;

  constructor(options: ServerProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Undefined while the process does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The line that said that it is ready. */
  get readyLine(): RegExpExecArray | null {
    return this.#readyLine;
  }

  /**
   * Starts the process and waits until it is ready; also again after `kill` and `stop`.
   * @throws SetUpError when it ends or is not ready in time
   */
  async start(): Promise<void> {
    if (this.#child) throw new Error(`${this.name} runs already`);
    this.#shouldRun = true;
    this.#readyLine = null;
    const { command, cwd, env } = this.#options;
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
      createInterface(stream).on("line", (line) => this.#read(line));
    this.#ended = once(started, "close").catch((error: unknown) => this.output.push(String(error)));
    void this.#ended.then(() => this.#reviveAfterEnd(started));
    await this.#untilReady(started);
  }

  /** Sends SIGKILL, as a crash ends it, and waits until the process has ended. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Sends SIGTERM, then SIGKILL after `stopTimeoutMs`, and waits until the process has ended, if it runs. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Stops it with SIGSTOP; connections stay open until `resume` continues it. */
  pause(): void {
    this.signal("SIGSTOP");
  }

  resume(): void {
    this.signal("SIGCONT");
  }

  #read(line: string): void {
    const { ready, onOutput } = this.#options;
    this.output.push(line);
    if (this.output.length > KEPT_LINES) this.output.shift();
    onOutput?.(line);
    if (ready instanceof RegExp) this.#readyLine ??= ready.exec(line);
  }

  async #untilReady(started: ChildProcess): Promise<void> {
    const { ready } = this.#options;
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    const lastLines = () => this.output.slice(-3).join(" / ");
    const isReady = () => (ready instanceof RegExp ? this.#readyLine !== null : ready().catch(() => false));
    while (!(await isReady())) {
      if (this.#child !== started) throw new SetUpError(`${this.name} does not start: ${lastLines()}`);
      if (Date.now() > deadlineMs)
        throw new SetUpError(`${this.name} is not ready after ${START_TIMEOUT_MS / 1_000} s: ${lastLines()}`);
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
    const timer = setTimeout(() => child.kill("SIGKILL"), this.#options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    await this.#ended;
    clearTimeout(timer);
    if (this.#child === child) this.#child = undefined;
  }
}
