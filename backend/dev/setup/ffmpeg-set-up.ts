/** ffmpeg and ffprobe: `FFMPEG_PATH`, the PATH, or Debian's package. */
import path from "node:path";
import { canInstallPackages, installPackages } from "./debian.ts";
import type { KnownPrograms } from "./known-programs.ts";
import { findOnPath, isProgram, runTool } from "./run-tool.ts";
import { SetUpError } from "./set-up-error.ts";

/** What conversions encode with; some distributions leave the first two out. */
const NEEDED_ENCODERS = ["libx264", "libmp3lame", "aac"];
const HOW_TO_MEND = "run `apt-get install ffmpeg` (macOS: `brew install ffmpeg`) or set FFMPEG_PATH";

interface FfmpegPaths {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

interface FfmpegOptions {
  readonly ffmpegPath?: string | undefined;
  readonly known: KnownPrograms;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Where both are, if both are there and were tried before. */
export function findKnownFfmpeg(options: FfmpegOptions): FfmpegPaths | undefined {
  const found = find(options.ffmpegPath);
  if (!found) return undefined;
  const isKnown = [found.ffmpegPath, found.ffprobePath].every(
    (program) => options.known.versionOf(program) !== undefined,
  );
  return isKnown ? found : undefined;
}

/** @throws SetUpError when they cannot be had, or when ffmpeg lacks an encoder. */
export async function prepareFfmpeg(options: FfmpegOptions): Promise<FfmpegPaths> {
  let found = findKnownFfmpeg(options);
  if (found) return found;
  found = find(options.ffmpegPath);
  if (!found) {
    if (options.ffmpegPath !== undefined)
      throw new SetUpError(
        `FFMPEG_PATH names ${options.ffmpegPath}, but ffmpeg and ffprobe are not there; correct or unset it.`,
      );
    if (!canInstallPackages()) throw new SetUpError(`ffmpeg is missing: ${HOW_TO_MEND}.`);
    try {
      await installPackages(["ffmpeg"], options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new SetUpError(`ffmpeg is missing and could not be installed (${describe(error)}): ${HOW_TO_MEND}.`, {
        cause: error,
      });
    }
    found = find(undefined);
    if (!found) throw new SetUpError(`ffmpeg was installed but is not on the PATH: ${HOW_TO_MEND}.`);
  }
  const version = await tryFfmpeg(found.ffmpegPath, options.signal);
  options.known.remember(found.ffmpegPath, version);
  options.known.remember(found.ffprobePath, version);
  options.report(`ffmpeg ${version}: ${found.ffmpegPath}`);
  return found;
}

function find(asked: string | undefined): FfmpegPaths | undefined {
  const ffmpegPath = asked ?? findOnPath("ffmpeg");
  if (ffmpegPath === undefined || !isProgram(ffmpegPath)) return undefined;
  const beside = path.join(path.dirname(ffmpegPath), "ffprobe");
  const ffprobePath = isProgram(beside) ? beside : findOnPath("ffprobe");
  return ffprobePath === undefined ? undefined : { ffmpegPath, ffprobePath };
}

async function tryFfmpeg(ffmpegPath: string, signal: AbortSignal | undefined): Promise<string> {
  let output: string;
  try {
    output = await runTool(ffmpegPath, ["-encoders"], { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new SetUpError(`${ffmpegPath} does not run (${describe(error)}): ${HOW_TO_MEND}.`, { cause: error });
  }
  const missing = NEEDED_ENCODERS.filter((encoder) => !new RegExp(String.raw`^ [VA]\S* ${encoder} `, "m").test(output));
  if (missing.length > 0)
    throw new SetUpError(
      `${ffmpegPath} cannot encode with ${missing.join(", ")}; install a full build and set FFMPEG_PATH to it.`,
    );
  return /^ffmpeg version (\S+)/m.exec(output)?.[1] ?? "unknown";
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
