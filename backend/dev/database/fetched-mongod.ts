/** Fetches a real mongod once. A failure is stored too, so that the next starts do not try again. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isProgram } from "../../runtime/find-program.ts";

const FetchResult = z.union([z.object({ program: z.string() }), z.object({ failedAt: z.iso.datetime() })]);

/** A failed attempt takes 6 s of retries; after a week the next start tries again. */
const FAILURE_VALID_MS = 7 * 24 * 60 * 60 * 1_000;

/** @returns path of the mongod that was fetched before, if it still exists */
export function findFetchedMongod(toolsDir: string): string | undefined {
  const result = readResult(toolsDir);
  return result && "program" in result && isProgram(result.program) ? result.program : undefined;
}

/** Whether fetching failed within the last week. */
export function hasFetchFailed(toolsDir: string): boolean {
  const result = readResult(toolsDir);
  return result !== undefined && "failedAt" in result && Date.now() - Date.parse(result.failedAt) < FAILURE_VALID_MS;
}

/** @returns path of a fetched mongod; undefined when it cannot be fetched */
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
    writeResult(toolsDir, { program });
    return program;
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    options.report(`  It cannot be fetched here (${reason.slice(0, 160)}); this is not tried again for a week.`);
    writeResult(toolsDir, { failedAt: new Date().toISOString() });
    return undefined;
  } finally {
    options.signal?.removeEventListener("abort", abort);
  }
}

function resultFile(toolsDir: string): string {
  return path.join(toolsDir, "fetched-mongod.json");
}

function writeResult(toolsDir: string, result: z.infer<typeof FetchResult>): void {
  writeFileSync(resultFile(toolsDir), `${JSON.stringify(result)}\n`);
}

function readResult(toolsDir: string): z.infer<typeof FetchResult> | undefined {
  try {
    return FetchResult.parse(JSON.parse(readFileSync(resultFile(toolsDir), "utf8")));
  } catch (error) {
    // An unreadable file counts as missing; at worst that costs one more attempt.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
