/** Runs ffmpeg on local files with its progress, under the same bounds as every tool. */
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runBoundedTool } from "./tool-process.ts";

const PROGRESS_SECONDS = 0.2;

/** Writes and ends what a tool reads. */
export type Feed = (input: Writable) => Promise<void>;

/** What ffmpeg calls the pipes that are fed, in their order: standard input, and those behind standard error. */
export function pipeName(position: number): string {
  return `pipe:${position === 0 ? 0 : position + 2}`;
}

/**
 * `args` are inputs and outputs; `feeds` write what is read from pipes, see {@link pipeName}. `onSeconds` hears how far into the media it is.
 * Throws ConversionError as the table of classify.ts says, and `signal.reason` when aborted.
 */
export async function runFfmpeg(
  pipeline: Pipeline,
  args: readonly string[],
  outputPath: string,
  signal: AbortSignal,
  onSeconds?: (seconds: number) => void,
  [feed, ...moreFeeds]: readonly Feed[] = [],
): Promise<void> {
  const { tools, limits } = pipeline;
  const outcome = await runBoundedTool(
    {
      path: tools.ffmpegPath,
      args: ["-hide_banner", ...(feed ? [] : ["-nostdin"]), "-nostats", "-loglevel", "error", "-stats_period", String(PROGRESS_SECONDS), "-progress", "pipe:1", ...args],
      folder: dirname(outputPath),
      // Whoever wants to hear how far it is has a whole sound or picture before it.
      runs: onSeconds ? "long" : "brief",
      ...(feed ? { feed, moreFeeds } : {}),
      timeoutMs: limits.jobTimeoutMs,
      killGraceMs: limits.killGraceMs,
      maxMemoryBytes: limits.maxToolMemoryBytes,
      onLine: (line) => {
        const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1];
        if (microseconds !== undefined) onSeconds?.(Number(microseconds) / 1_000_000);
      },
    },
    signal,
  );
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
}
