/** A server program as a child process that prints a line when it is ready. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { boundToParent } from "../setup/run-tool.ts";

/** Last lines of output in the error message. */
const ERROR_LINES = 3;

export interface ServerProcess {
  readonly pid: number;
  /** The match of `readyLine`. */
  readonly ready: RegExpExecArray;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits until the process has ended; returns at once when it has ended before. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ServerProcessOptions {
  /** For the error message. */
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Printed once the server takes connections. */
  readonly readyLine: RegExp;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the process has a process group of its own, so that Ctrl-C in the terminal does not reach it. */
  readonly detached?: boolean;
  /** Gets every line that the server prints. */
  readonly log?: (line: string) => void;
}

/**
 * Starts a server program and waits until it is ready. It gets SIGTERM when this process dies.
 * @throws Error when the program cannot be started or ends before it is ready
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { name, command, readyLine, env, detached = false, log = () => undefined } = options;
  const [program, ...args] = command;
  const child = spawn(...boundToParent(program, args), { stdio: ["ignore", "pipe", "pipe"], env, detached });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const lastLines: string[] = [];
  const ready = await new Promise<RegExpExecArray>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on("line", (line) => {
        log(line);
        if (line.trim() !== "") lastLines.push(line.trim());
        if (lastLines.length > ERROR_LINES) lastLines.shift();
        const match = readyLine.exec(line);
        if (match) resolve(match);
      });
    child.once("error", reject);
    // "close", not "exit": by then the last lines have been read.
    child.once("close", (code) =>
      reject(new Error(`${name} ended with ${String(code)} before it listened: ${lastLines.join(" ")}`)),
    );
  });
  return {
    pid: child.pid ?? 0,
    ready,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
