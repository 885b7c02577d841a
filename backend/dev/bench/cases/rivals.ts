/** Runs the rivals of the product: command lines on the same link, each in an empty folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { costBetween, costOf, watchMemory, type Memory, type Cost } from "../measuring/process-tree.ts";

export interface CommandLine {
  readonly program: string;
  /** Run in an empty folder. */
  readonly args: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly wallSeconds: number;
  readonly cost: Cost;
  readonly memory: Memory;
}

/** Last characters of stderr in the error message. */
const STDERR_CHARACTERS = 2_000;

async function runOne({ program, args, env }: CommandLine, cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let errorText = "";
  child.stderr.on("data", (chunk) => (errorText = `${errorText}${String(chunk)}`.slice(-STDERR_CHARACTERS)));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${errorText}`);
}

export interface RivalOptions {
  readonly scratch: string;
  /** Process ids of the bench that are not counted as the rival's. */
  readonly leftOut: readonly number[];
  readonly atATime?: number;
}

/**
 * Runs command lines, `atATime` of them in parallel, and removes their files.
 * @throws Error with a tool's last output when one fails
 */
export async function runRival(
  lines: readonly CommandLine[],
  { scratch, leftOut, atATime = 1 }: RivalOptions,
): Promise<Outcome> {
  const waiting = [...lines];
  const before = costOf(process.pid, leftOut);
  using memory = watchMemory(process.pid, leftOut);
  const startedMs = performance.now();
  const worker = async (): Promise<void> => {
    for (let line = waiting.shift(); line; line = waiting.shift()) {
      const folder = await mkdtemp(join(scratch, "rival-"));
      try {
        await runOne(line, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return {
    wallSeconds: (performance.now() - startedMs) / 1_000,
    cost: costBetween(before, costOf(process.pid, leftOut)),
    memory: memory.peak,
  };
}
