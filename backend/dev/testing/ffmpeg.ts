/** ffmpeg and ffprobe, with which tests make small files and look into results. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";

export { words } from "../stand-ins/sample-site/clip-recipes.ts";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 100_000_000;

/** Runs ffmpeg in a folder. It prints errors alone, and overwrites files. */
export const ffmpegIn = (cwd: string | undefined, ...args: readonly string[]) =>
  run(inject("toolPaths").ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], { cwd, maxBuffer: MAX_OUTPUT_BYTES });

/** Runs ffmpeg, with paths that do not depend on the folder. */
export const ffmpeg = (...args: readonly string[]) => ffmpegIn(undefined, ...args);

/** @returns what ffprobe prints */
export async function ffprobe(...args: readonly string[]): Promise<string> {
  const { ffprobePath } = inject("toolPaths");
  return (await run(ffprobePath, ["-v", "error", ...args], { maxBuffer: MAX_OUTPUT_BYTES })).stdout;
}

/** @param args what is shown, and of which file @returns the values of each line */
export async function probedLines(...args: readonly string[]): Promise<string[]> {
  return (await ffprobe("-of", "csv=p=0", ...args)).trim().split("\n");
}

/** @param args what is shown, and of which file */
export async function probed<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse(await ffprobe("-of", "json", ...args)) as T;
}

/** @returns the title of each chapter, with its start and end in seconds */
export async function probedChapters(path: string): Promise<(readonly [title: string, start: number, end: number])[]> {
  type Chapter = Readonly<{ start_time: string; end_time: string; tags?: Readonly<{ title: string }> }>;
  const { chapters } = await probed<{ chapters: readonly Chapter[] }>("-show_chapters", path);
  return chapters.map(({ tags, start_time: start, end_time: end }) => [tags?.title ?? "", Number(start), Number(end)]);
}

/** @returns the first track of subtitles, as SRT */
export async function subtitlesIn(path: string): Promise<string> {
  const { stdout } = await ffmpeg("-i", path, "-map", "0:s:0", "-f", "srt", "-");
  return stdout.replaceAll("\r", "");
}

/** @param sources descriptions of what ffmpeg draws and plays by itself, each an input */
export const lavfi = (...sources: readonly string[]): string[] =>
  sources.flatMap((source) => ["-f", "lavfi", "-i", source]);

/** Of the encoder of pictures, so that it takes little time. */
export const H264: readonly string[] = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
