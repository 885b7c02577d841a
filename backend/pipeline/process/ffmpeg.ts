/** Runs ffmpeg on local files and reports its progress. */
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { sizeOrZero } from "../../tool-files/tool-files.ts";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Work } from "../pipeline.ts";
import { runBoundedTool, type ToolCommand } from "./tool-process.ts";

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
 * @returns the end of what it complained of
 * @throws ConversionError with a code of the table in errors/classify.ts, RefusedFile, `signal.reason` when aborted
 */
export async function runFfmpeg(
  work: Work,
  args: readonly string[],
  outputPath: string,
  onSeconds?: (seconds: number) => void,
  [feed, ...moreFeeds]: readonly Feed[] = [],
): Promise<string> {
  // A pipe in its place would keep ffmpeg waiting.
  await sizeOrZero(outputPath);
  return runFfmpegCommand(work, {
    args: ["-stats_period", String(PROGRESS_SECONDS), "-progress", "pipe:1", ...args],
    folder: dirname(outputPath),
    // Only callers that encode a whole stream ask for progress.
    runs: onSeconds ? "long" : "brief",
    feed,
    moreFeeds,
    onLine: (line) => {
      const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1];
      if (microseconds !== undefined) onSeconds?.(Number(microseconds) / 1_000_000);
    },
  });
}

/**
 * Runs ffmpeg to its end, and reads what it writes to "pipe:1".
 * @param besidePath its folder is the working folder
 * @param onChunk called with one chunk after the other
 * @throws what {@link runFfmpeg} throws, and what `onChunk` throws
 */
export async function readFfmpeg(
  work: Work,
  args: readonly string[],
  besidePath: string,
  onChunk: (chunk: Buffer) => Promise<void>,
  [feed, ...moreFeeds]: readonly Feed[],
): Promise<void> {
  const onOutput = async (output: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of output) await onChunk(chunk);
  };
  await runFfmpegCommand(work, { args, folder: dirname(besidePath), runs: "long", feed, moreFeeds, onOutput });
}

type FfmpegCommand = Pick<ToolCommand, "args" | "folder" | "runs" | "feed" | "moreFeeds" | "onLine" | "onOutput">;

/** Runs ffmpeg to its end. @returns what {@link runFfmpeg} returns @throws what that throws */
export async function runFfmpegCommand({ pipeline, signal }: Work, command: FfmpegCommand): Promise<string> {
  const { tools, limits, sandbox } = pipeline;
  const input = command.feed ? [] : ["-nostdin"];
  const outcome = await runBoundedTool(
    {
      ...command,
      path: tools.ffmpegPath,
      args: ["-hide_banner", ...input, "-nostats", "-loglevel", "error", ...command.args],
      sandbox,
      timeoutMs: limits.jobTimeoutMs,
      killGraceMs: limits.killGraceMs,
      maxMemoryBytes: limits.maxToolMemoryBytes,
    },
    signal,
  );
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  return outcome.stderrTail;
}
