/** A real mongod, fetched once. Where its makers' site cannot be reached, this is remembered. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isProgram } from "../setup/run-tool.ts";

const Memory = z.union([z.object({ program: z.string() }), z.object({ failedAt: z.iso.datetime() })]);

/** A failed attempt costs 6 s of retries without a network; a week later it may be worth it again. */
const FAILURE_REMEMBERED_MS = 7 * 24 * 60 * 60 * 1_000;

/** The program fetched earlier, if it is still there. */
export function findFetchedMongod(toolsDir: string): string | undefined {
  const memory = readMemory(toolsDir);
  return memory && "program" in memory && isProgram(memory.program) ? memory.program : undefined;
}

/** Whether fetching failed lately. */
export function hasFetchFailed(toolsDir: string): boolean {
  const memory = readMemory(toolsDir);
  return (
    memory !== undefined && "failedAt" in memory && Date.now() - Date.parse(memory.failedAt) < FAILURE_REMEMBERED_MS
  );
}

/** Fetches a mongod and returns its path, or undefined when it cannot be fetched. */
export async function fetchMongod(
  toolsDir: string,
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  options.report("Fetching a mongod (about 100 MB) …");
  const { MongoBinary } = await import("mongodb-memory-server-core/lib/util/MongoBinary.js");
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    const program = await Promise.race([
      MongoBinary.getPath({ downloadDir: path.join(toolsDir, "mongod") }),
      aborted.promise,
    ]);
    writeMemory(toolsDir, { program });
    return program;
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    options.report(`  It cannot be fetched here (${reason.slice(0, 160)}); this is not tried again for a week.`);
    writeMemory(toolsDir, { failedAt: new Date().toISOString() });
    return undefined;
  } finally {
    options.signal?.removeEventListener("abort", abort);
  }
}

function memoryFile(toolsDir: string): string {
  return path.join(toolsDir, "fetched-mongod.json");
}

function writeMemory(toolsDir: string, memory: z.infer<typeof Memory>): void {
  writeFileSync(memoryFile(toolsDir), `${JSON.stringify(memory)}\n`);
}

function readMemory(toolsDir: string): z.infer<typeof Memory> | undefined {
  try {
    return Memory.parse(JSON.parse(readFileSync(memoryFile(toolsDir), "utf8")));
  } catch (error) {
    // Unreadable counts as absent: the worst is one more attempt.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
