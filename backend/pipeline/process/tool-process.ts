/**
 * Runs an external tool in a process group of its own, with a minimal environment, without a shell, and with bounds on
 * time, memory and output. Knows no tool by name.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import { promisify } from "node:util";
import { ConversionError } from "../../../common/errors.ts";
import { applyNiceness, type ToolLength } from "./tool-niceness.ts";
import { residentBytes } from "./process-memory.ts";

const MEMORY_CHECK_MS = 200;
/** The end of standard error that is kept; enough to see why a tool failed. */
const STDERR_TAIL_BYTES = 16_384;

export interface ToolCommand {
  readonly path: string;
  readonly args: readonly string[];
  /** Working folder and HOME of the tool. */
  readonly folder: string;
  /** Default "brief". */
  readonly runs?: ToolLength;
  readonly timeoutMs: number;
  readonly killGraceMs: number;
  readonly maxMemoryBytes: number;
  /** More collected standard output ends the tool. Ignored with `onLine` and `onOutput`. */
  readonly maxOutputBytes?: number;
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
  /** Null when a signal ended the tool. */
  readonly exitCode: number | null;
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

/** Sends a signal to a process group, if it still exists. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * Runs a tool until its whole process group has ended.
 * @throws ConversionError "internal" when the tool cannot be started, `signal.reason` when aborted
 */
export async function runBoundedTool(command: ToolCommand, signal: AbortSignal): Promise<ToolOutcome> {
  const prefix = await lifeline();
  signal.throwIfAborted();
  const [program = command.path, ...args] = [...prefix, command.path, ...command.args];
  const child = spawn(program, args, {
    cwd: command.folder,
    detached: true,
    env: toolEnvironment(command.folder),
    stdio: ["pipe", "pipe", "pipe", ...(command.moreFeeds ?? []).map(() => "pipe" as const)],
  });
  // Without a feed, standard input ends at once.
  if (!command.feed) child.stdin.end();
  applyNiceness(child, command.runs ?? "brief");

  let ending: ToolOutcome["ending"] = "exit";
  let failure: unknown;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (why?: ToolOutcome["ending"]): void => {
    if (killTimer) return;
    if (why) ending = why;
    signalGroup(child.pid, "SIGTERM");
    killTimer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), command.killGraceMs);
  };
  const onAbort = (): void => end();
  const timeout = setTimeout(() => end("timeout"), command.timeoutMs);
  const checkMemory = (): void => {
    if (child.exitCode !== null || residentBytes(child.pid ?? 0) <= command.maxMemoryBytes) return;
    ending = "memory";
    // No grace period: its memory would go on growing.
    signalGroup(child.pid, "SIGKILL");
  };
  const memoryCheck = setInterval(checkMemory, MEMORY_CHECK_MS);

  const output: Buffer[] = [];
  let outputBytes = 0;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_BYTES);
  });
  const streams: Promise<void>[] = [];
  const take = (taken: Promise<void>): void => {
    streams.push(
      taken.catch((error: unknown) => {
        failure ??= error;
        end();
      }),
    );
  };
  // A tool that ends early breaks the pipe; its exit code tells why.
  child.stdin.on("error", () => undefined);
  if (command.feed) take(command.feed(child.stdin));
  for (const [position, feed] of (command.moreFeeds ?? []).entries()) {
    const pipe = child.stdio[3 + position];
    if (!(pipe instanceof Writable)) throw new TypeError(`there is no pipe ${3 + position}`);
    pipe.on("error", () => undefined);
    take(feed(pipe));
  }
  if (command.onOutput) take(command.onOutput(child.stdout));
  else if (command.onLine) {
    const { onLine } = command;
    createInterface({ input: child.stdout }).on("line", (line) => {
      try {
        onLine(line);
      } catch (error) {
        failure ??= error;
        end();
      }
    });
  } else
    child.stdout.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > (command.maxOutputBytes ?? STDERR_TAIL_BYTES)) return end("output");
      output.push(chunk);
    });

  signal.addEventListener("abort", onAbort, { once: true });
  try {
    // "close" would wait for a grandchild that holds the pipes, so the rest of the group is killed first.
    const [exitCode] = (await once(child, "exit")) as [number | null];
    signalGroup(child.pid, "SIGKILL");
    if (!child.stdout.closed) await once(child.stdout, "close");
    if (!child.stderr.closed) await once(child.stderr, "close");
    await Promise.all(streams);
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    return { ending, exitCode, output: Buffer.concat(output).toString("utf8"), stderrTail: stderr };
  } catch (error) {
    if (child.pid === undefined)
      throw new ConversionError("internal", { detail: `${command.path} does not start`, cause: error });
    throw error;
  } finally {
    clearTimeout(timeout);
    clearTimeout(killTimer);
    clearInterval(memoryCheck);
    signal.removeEventListener("abort", onAbort);
  }
}
