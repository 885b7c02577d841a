/** Short-lived programs of the set-up: run to the end, their output shown or told in the error. */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

/** Most lines a second passed on from a chatty program. */
const SHOWN_EVERY_MS = 1_000;
/** Lines kept for the error and for the caller. */
const KEPT_LINES = 400;

export interface RunOptions {
  /** Gets a line of the program's output now and then, as a sign of life. */
  readonly report?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The program is ended after this long. */
  readonly timeoutMs?: number;
}

/** How npm's tools, pip, apt-get and Maven begin the line that says what is wrong. */
const COMPLAINT = /^(?:\w*Error|ERROR|E|fatal): |^\[ERROR\] \S/;

/** The program could not be started or ended badly; the message has its name and its own words. */
export class ToolFailure extends Error {
  constructor(program: string, complaint: string, options: { cause?: unknown } = {}) {
    super(`${path.basename(program)}: ${complaint}`, options);
    this.name = "ToolFailure";
  }
}

/**
 * Runs a program and returns its output, stdout and stderr together, as it came.
 * @throws ToolFailure when it cannot start, ends with anything but 0, or takes too long;
 * the signal's reason when aborted.
 */
export async function runTool(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { report, signal, cwd, env, timeoutMs } = options;
  signal?.throwIfAborted();
  const child = spawn(...boundToParent(program, args), {
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
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
  const complaint = lines.find((line) => COMPLAINT.test(line)) ?? lines.findLast((line) => line.trim() !== "");
  throw new ToolFailure(program, complaint?.trim().slice(0, 300) ?? `ended with ${outcome} and no word`);
}

/**
 * The command that runs a program so that it gets SIGTERM when this process dies, however it dies.
 * Where there is no setpriv the program is run as it is.
 */
export function boundToParent(program: string, args: readonly string[]): [program: string, args: readonly string[]] {
  const found = path.isAbsolute(program) ? program : findOnPath(program);
  const setpriv = findOnPath("setpriv");
  // A missing program is for spawn to report, not for setpriv.
  if (setpriv === undefined || found === undefined || !isProgram(found)) return [program, args];
  return [setpriv, ["--pdeathsig", "TERM", "--", found, ...args]];
}

/** The first program of that name on the PATH, or undefined. */
export function findOnPath(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => path.join(folder, name))
    .find(isProgram);
}

/** Whether there is a file that may be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
