/** Runs the short-lived programs of the set-up, such as apt-get, pip and Maven. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { findOnPath, isProgram } from "../../runtime/find-program.ts";

/** Shortest time between two lines that are reported. */
const SHOWN_EVERY_MS = 1_000;
/** Most lines that are kept for the error and the caller. */
const KEPT_LINES = 400;

export interface RunOptions {
  /** Gets at most one line of the output per second, to show that the program works. */
  readonly report?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Afterwards the program is ended. */
  readonly timeoutMs?: number;
}

/** Beginning of an error line of npm's tools, pip, apt-get and Maven. */
const ERROR_LINE = /^(?:\w*Error|ERROR|E|fatal): |^\[ERROR\] \S/;

/** The program could not be started or failed; the message has its name and its error line. */
export class ToolFailure extends Error {
  constructor(program: string, reason: string, options: { cause?: unknown } = {}) {
    super(`${path.basename(program)}: ${reason}`, options);
    this.name = "ToolFailure";
  }
}

/**
 * Runs a program until it ends.
 * @returns the last lines of stdout and stderr together, in the order of their arrival
 * @throws ToolFailure when it cannot start, ends with another code than 0, or takes too long; the signal's reason when
 * aborted
 */
export async function runTool(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { report, signal, cwd, env, timeoutMs } = options;
  signal?.throwIfAborted();
  const child = spawn(...boundToParent(program, args), {
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    cwd,
    env,
    timeout: timeoutMs,
  });
  const lines: string[] = [];
  let shownAtMs = Date.now();
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on("line", (coloured) => {
      const line = stripVTControlCharacters(coloured);
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      if (!report || line.trim() === "" || Date.now() - shownAtMs < SHOWN_EVERY_MS) return;
      shownAtMs = Date.now();
      report(`  ${path.basename(program)}: ${line.trim().slice(0, 120)}`);
    });
  const { promise, resolve, reject } = Promise.withResolvers<number | NodeJS.Signals>();
  child.once("error", reject);
  child.once("close", (code, killedBy) => resolve(code ?? killedBy ?? 1));
  let outcome: number | NodeJS.Signals;
  try {
    outcome = await promise;
  } catch (error) {
    signal?.throwIfAborted();
    throw new ToolFailure(program, error instanceof Error ? error.message : String(error), { cause: error });
  }
  signal?.throwIfAborted();
  if (outcome === 0) return lines.join("\n");
  const errorLine = lines.find((line) => ERROR_LINE.test(line)) ?? lines.findLast((line) => line.trim() !== "");
  throw new ToolFailure(program, errorLine?.trim().slice(0, 300) ?? `ended with ${outcome} and no output`);
}

/**
 * Makes a command whose program gets SIGTERM when this process dies, also by SIGKILL. Without setpriv on the PATH the
 * command is unchanged.
 */
export function boundToParent(program: string, args: readonly string[]): [program: string, args: readonly string[]] {
  const found = path.isAbsolute(program) ? program : findOnPath(program);
  const setpriv = findOnPath("setpriv");
  // A missing program is run without setpriv, so that spawn reports it.
  if (setpriv === undefined || found === undefined || !isProgram(found)) return [program, args];
  return [setpriv, ["--pdeathsig", "TERM", "--", found, ...args]];
}
