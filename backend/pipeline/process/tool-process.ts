/**
 * Runs an external tool in a process group of its own, with a minimal environment, without a shell, and with bounds on
 * time, memory and output. Independent of the tool.
 */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { ConversionError } from "../../../common/errors.ts";
import { writeNewFile } from "../../tool-files/tool-files.ts";
import { applyNiceness, type ToolLength } from "./tool-niceness.ts";
import { measureProcesses } from "./process-memory.ts";
import { MAX_TOOL_PROCESSES, type Enclosure, type ToolAccess, type ToolSandbox } from "./tool-sandbox.ts";

const MEMORY_CHECK_MS = 200;
/** The end of standard error that is kept; enough to see why a tool failed. */
export const STDERR_TAIL_BYTES = 16_384;
/** Enough for a version or a short list. */
export const DEFAULT_MAX_OUTPUT_BYTES = 16_384;

export interface ToolCommand {
  /** Added to the environment that all tools have. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly path: string;
  readonly args: readonly string[];
  /** Working folder and HOME of the tool; in a sandbox the only one that it may write to. */
  readonly folder: string;
  /** Absent: the tool may do what this process may. */
  readonly sandbox?: ToolSandbox;
  /** What the tool may use in the sandbox besides its folder; default nothing. */
  readonly access?: ToolAccess;
  /** Default "brief". */
  readonly runs?: ToolLength;
  readonly timeoutMs: number;
  readonly killGraceMs: number;
  readonly maxMemoryBytes: number;
  /** CPU time of the tool, and of each program that it starts. Enforced by the extractor host only. */
  readonly maxCpuSeconds?: number;
  /** More standard output ends the tool; default 16 KiB. Ignored with `onLine` and `onOutput`. */
  readonly maxOutputBytes?: number;
  /** Name of a new file in the folder that gets standard output, instead of collecting it. */
  readonly outputFile?: string | undefined;
  /** Called with each line of standard output, instead of collecting it. An exception ends the tool and is thrown. */
  readonly onLine?: (line: string) => void;
  /** Reads standard output, instead of collecting it. A rejection ends the tool and is thrown. */
  readonly onOutput?: (stdout: Readable) => Promise<void>;
  /** Writes and ends standard input, which is empty if absent. A rejection ends the tool and is thrown. */
  readonly feed?: (stdin: Writable) => Promise<void>;
  /** Write and end further pipes, from descriptor 3 on. */
  readonly moreFeeds?: readonly ((pipe: Writable) => Promise<void>)[];
}

/** How a tool ended: by itself, or because it exceeded a bound. */
export interface ToolOutcome {
  readonly ending: "exit" | "timeout" | "memory" | "output";
  /** Null when a signal ended the tool; in a sandbox it is 128 and the number of the signal instead. */
  readonly exitCode: number | null;
  /** Empty if it was not collected. */
  readonly output: string;
  readonly stderrTail: string;
}

let lifelinePrefix: Promise<readonly string[]> | undefined;

/** @returns a command prefix that makes the kernel kill the tool when this process dies; empty if setpriv is missing */
export function lifeline(): Promise<readonly string[]> {
  const prefix = ["setpriv", "--pdeathsig", "KILL", "--"];
  lifelinePrefix ??= promisify(execFile)("setpriv", [...prefix.slice(1), "true"]).then(
    () => prefix,
    () => [],
  );
  return lifelinePrefix;
}

/** @returns the whole environment of a tool */
export function toolEnvironment(folder: string): Record<string, string> {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, TMPDIR: folder, LANG: "C.UTF-8" };
}

/**
 * Sends a signal to a process group. Does nothing when the group has ended or `pid` is undefined.
 * @returns whether there is such a group
 */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): boolean {
  return pid !== undefined && signalProcess(-pid, signal);
}

/**
 * Sends a signal to a process, or to a group with a negative `pid`. Does nothing when it has ended.
 * @returns whether it is there
 */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    return false;
  }
}

/** A tool that runs: its process, its bounds, and what it printed so far. */
class ToolRun {
  readonly #command: ToolCommand;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #output: Buffer[] = [];
  #outputBytes = 0;
  #stderrTail = "";
  /** Feeds and readers of the tool's pipes. They never reject; {@link ToolRun.#failure} has the first error. */
  readonly #streams: Promise<void>[] = [];
  #failure: unknown;
  #ending: ToolOutcome["ending"] = "exit";
  #killTimer: NodeJS.Timeout | undefined;

  constructor(command: ToolCommand, { prefix, filterDescriptor }: Pick<Enclosure, "prefix" | "filterDescriptor">) {
    this.#command = command;
    const [program = command.path, ...args] = [...prefix, command.path, ...command.args];
    const feedPipes = (command.moreFeeds ?? []).map(() => "pipe" as const);
    // The first three streams are pipes, which the types say only of lists without a descriptor.
    this.#child = spawn(program, args, {
      cwd: command.folder,
      detached: true,
      env: { ...toolEnvironment(command.folder), ...command.environment },
      stdio: ["pipe", "pipe", "pipe", ...feedPipes, ...(filterDescriptor === undefined ? [] : [filterDescriptor])],
    }) as ChildProcessWithoutNullStreams;
    // Without a feed, standard input ends at once.
    if (!command.feed) this.#child.stdin.end();
    applyNiceness(this.#child, command.runs ?? "brief");
  }

  /** Enforces the bounds and connects the pipes until the tool has ended. */
  async finish(signal: AbortSignal): Promise<ToolOutcome> {
    const onAbort = (): void => this.#end();
    const timeout = setTimeout(() => this.#end("timeout"), this.#command.timeoutMs);
    const memoryCheck = setInterval(() => this.#checkMemory(), MEMORY_CHECK_MS);
    this.#keepStderrTail();
    this.#writeInputs();
    this.#readOutput();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await this.#outcome(signal);
    } catch (error) {
      if (this.#child.pid === undefined)
        throw new ConversionError("internal", { detail: `${this.#child.spawnfile} does not start`, cause: error });
      throw error;
    } finally {
      clearTimeout(timeout);
      clearTimeout(this.#killTimer);
      clearInterval(memoryCheck);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the process group: SIGTERM first, SIGKILL after the grace period. */
  #end(ending?: ToolOutcome["ending"]): void {
    if (this.#killTimer) return;
    if (ending) this.#ending = ending;
    signalGroup(this.#child.pid, "SIGTERM");
    this.#killTimer = setTimeout(() => signalGroup(this.#child.pid, "SIGKILL"), this.#command.killGraceMs);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#end();
  }

  #checkMemory(): void {
    const { exitCode, pid = 0 } = this.#child;
    if (exitCode !== null) return;
    const { memoryBytes, count } = measureProcesses(pid, MAX_TOOL_PROCESSES);
    if (memoryBytes <= this.#command.maxMemoryBytes && count <= MAX_TOOL_PROCESSES) return;
    this.#ending = "memory";
    // No grace period, because its memory would go on growing.
    signalGroup(this.#child.pid, "SIGKILL");
  }

  #keepStderrTail(): void {
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_BYTES);
    });
  }

  #writeInputs(): void {
    const { feed, moreFeeds = [] } = this.#command;
    // A tool that ends early breaks the pipe. Its exit code says why it ended.
    this.#child.stdin.on("error", () => undefined);
    if (feed) this.#track(feed(this.#child.stdin));
    for (const [position, feedPipe] of moreFeeds.entries()) {
      const pipe = this.#child.stdio[3 + position];
      if (!(pipe instanceof Writable)) throw new TypeError(`there is no pipe ${3 + position}`);
      pipe.on("error", () => undefined);
      this.#track(feedPipe(pipe));
    }
  }

  #readOutput(): void {
    const { onOutput, onLine, outputFile } = this.#command;
    if (onOutput) this.#track(onOutput(this.#child.stdout));
    else if (onLine) this.#readLines(onLine);
    else if (outputFile !== undefined) this.#track(this.#writeOutput(outputFile));
    else this.#child.stdout.on("data", (chunk: Buffer) => this.#collect(chunk));
  }

  #readLines(onLine: (line: string) => void): void {
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      try {
        onLine(line);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #collect(chunk: Buffer): void {
    if (this.#mayTake(chunk)) this.#output.push(chunk);
  }

  async #writeOutput(name: string): Promise<void> {
    const { folder } = this.#command;
    const file = writeNewFile(join(folder, name));
    await pipeline(this.#child.stdout, (chunks: AsyncIterable<Buffer>) => this.#takeFrom(chunks), file);
  }

  async *#takeFrom(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) if (this.#mayTake(chunk)) yield chunk;
  }

  /** Counts a part of the output. @returns false, and ends the tool, when it is too much */
  #mayTake(chunk: Buffer): boolean {
    this.#outputBytes += chunk.length;
    if (this.#outputBytes <= (this.#command.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES)) return true;
    this.#end("output");
    return false;
  }

  #track(stream: Promise<void>): void {
    this.#streams.push(stream.catch((error: unknown) => this.#fail(error)));
  }

  async #outcome(signal: AbortSignal): Promise<ToolOutcome> {
    const { stdout, stderr } = this.#child;
    // "close" would wait for a grandchild that holds the pipes, so the rest of the group is killed first.
    const [exitCode] = (await once(this.#child, "exit")) as [number | null];
    signalGroup(this.#child.pid, "SIGKILL");
    if (!stdout.closed) await once(stdout, "close");
    if (!stderr.closed) await once(stderr, "close");
    await Promise.all(this.#streams);
    signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#command.sandbox && exitCode === 1 && this.#stderrTail.startsWith("bwrap: "))
      throw new ConversionError("internal", { detail: `no sandbox for ${this.#command.path}: ${this.#stderrTail}` });
    const output = Buffer.concat(this.#output).toString("utf8");
    return { ending: this.#ending, exitCode, output, stderrTail: this.#stderrTail };
  }
}

/**
 * Runs a tool until its whole process group has ended.
 * @returns how it ended and what it printed; also for a tool that failed or exceeded a bound
 * @throws ConversionError "internal" when the tool cannot be started, `signal.reason` when aborted
 */
export async function runBoundedTool(command: ToolCommand, signal: AbortSignal): Promise<ToolOutcome> {
  return (await startTool(command, signal)).finish(signal);
}

async function startTool(command: ToolCommand, signal: AbortSignal): Promise<ToolRun> {
  const { sandbox, moreFeeds = [] } = command;
  if (!sandbox) {
    const prefix = await lifeline();
    signal.throwIfAborted();
    return new ToolRun(command, { prefix, filterDescriptor: undefined });
  }
  // It is closed here once the tool has inherited it.
  using enclosure = await sandbox.enclose(command, 3 + moreFeeds.length);
  signal.throwIfAborted();
  return new ToolRun(command, enclosure);
}
