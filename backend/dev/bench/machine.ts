/** The machine and tools of a run. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";
import type { ToolPaths } from "../setup/tools.ts";
import type { Machine } from "./report/results.ts";

/** @returns average number of processes that used or waited for a core in the last minute */
export function loadAverage(): number {
  return loadavg()[0] ?? Number.NaN;
}

export async function describeMachine({ ffmpegPath, ytDlpPath }: ToolPaths): Promise<Machine> {
  const run = promisify(execFile);
  const release = await readFile("/etc/os-release", "utf8");
  const ffmpeg = (await run(ffmpegPath, ["-version"])).stdout;
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? "unknown",
    memoryGigabytes: Math.round(totalmem() / 1e9),
    system: /^PRETTY_NAME="(.*)"$/m.exec(release)?.[1] ?? "Linux",
    node: process.versions.node,
    ffmpeg: /^ffmpeg version (\S+)/.exec(ffmpeg)?.[1] ?? "unknown",
    ytDlp: (await run(ytDlpPath, ["--version"])).stdout.trim(),
  };
}
