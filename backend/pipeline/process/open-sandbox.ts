/** Finds out which sandbox this machine allows. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { runBoundedTool } from "./tool-process.ts";
import { ToolSandbox } from "./tool-sandbox.ts";

/** A busy machine needs seconds to start a program. Only a sandbox that hangs takes this long. */
const CHECK = { timeoutMs: 60_000, killGraceMs: 100, maxMemoryBytes: 1_073_741_824 };

export interface FoundSandbox {
  readonly sandbox?: ToolSandbox;
  /** What a complete sandbox has and this one has not, and why; for an operator. */
  readonly missing?: string;
}

/** Runs a program in the sandbox, and without the filter of system calls when that fails. */
export async function openSandbox(): Promise<FoundSandbox> {
  const sandbox = new ToolSandbox({ withFilter: true });
  const problem = await problemOf(sandbox);
  if (problem === undefined)
    return sandbox.hasFilter ? { sandbox } : { sandbox, missing: `no filter of system calls on ${process.arch}` };
  const unfiltered = new ToolSandbox({ withFilter: false });
  return sandbox.hasFilter && (await problemOf(unfiltered)) === undefined
    ? { sandbox: unfiltered, missing: `no filter of system calls (${problem})` }
    : { missing: `no sandbox (${problem})` };
}

/** @returns why a program does not run in this sandbox */
async function problemOf(sandbox: ToolSandbox): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-sandbox-"));
  try {
    const command = { ...CHECK, path: "true", args: [], folder, sandbox };
    const { ending, exitCode, stderrTail } = await runBoundedTool(command, new AbortController().signal);
    if (ending === "exit" && exitCode === 0) return undefined;
    return lastLine(stderrTail) || `a program in it ended by ${ending} with code ${exitCode}`;
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return lastLine(error.detail ?? error.message);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
