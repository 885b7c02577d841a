/** Runs ffmpeg on local files and reports its progress. */
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runBoundedTool } from "./tool-process.ts";

const PROGRESS_SECONDS = 0.2;

/** Writes the input of a tool to a pipe, and ends the pipe. */
export type Feed = (input: Writable) => Promise<void>;

/** @returns ffmpeg's name of the n-th fed pipe: standard input is 0, the next ones are descriptors 3, 4 … */
export function pipeName(position: number): string {
  return `pipe:${position === 0 ? 0 : position + 2}`;
}

/**
 * Runs ffmpeg to its end.
 * @param args inputs and outputs
 * @param outputPath its folder is the working folder
 * @param onSeconds called with the position in the media, every 0.2 s
 * @param feeds write the pipes that {@link pipeName} names
 * @throws ConversionError with a code of the table in errors/classify.ts, `signal.reason` when aborted
 */
export async function runFfmpeg(
  pipeline: Pipeline,
  args: readonly string[],
  outputPath: string,
  signal: AbortSignal,
  onSeconds?: (seconds: number) => void,
  [feed, ...moreFeeds]: readonly Feed[] = [],
): Promise<void> {
  const { tools, limits, sandbox } = pipeline;
  const outcome = await runBoundedTool(
    {
      path: tools.ffmpegPath,
      args: [
        "-hide_banner",
        ...(feed ? [] : ["-nostdin"]),
        "-nostats",
        "-loglevel",
        "error",
        "-stats_period",
        String(PROGRESS_SECONDS),
        "-progress",
        "pipe:1",
        ...args,
      ],
      folder: dirname(outputPath),
      sandbox,
      // Only callers that encode a whole stream ask for progress.
      runs: onSeconds ? "long" : "brief",
      feed,
      moreFeeds,
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
