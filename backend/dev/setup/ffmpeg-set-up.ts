/** ffmpeg and ffprobe: from `FFMPEG_PATH`, the PATH or Debian's package. */
import path from "node:path";
import { canInstallPackages, installPackages } from "./debian.ts";
import type { KnownPrograms } from "./known-programs.ts";
import { runTool } from "./run-tool.ts";
import { findOnPath, isProgram } from "../../runtime/find-program.ts";
import { SetUpError } from "./set-up-error.ts";

/** Encoders that conversions use; some distributions leave the first two out. */
const NEEDED_ENCODERS = ["libx264", "libmp3lame", "aac"];
const HOW_TO_FIX = "run `apt-get install ffmpeg` (macOS: `brew install ffmpeg`) or set FFMPEG_PATH";

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

/** @returns both paths if both programs exist and were checked before */
export function findKnownFfmpeg(options: FfmpegOptions): FfmpegPaths | undefined {
  const found = find(options.ffmpegPath);
  if (!found) return undefined;
  const isKnown = [found.ffmpegPath, found.ffprobePath].every(
    (program) => options.known.versionOf(program) !== undefined,
  );
  return isKnown ? found : undefined;
}

/**
 * Finds ffmpeg and ffprobe or installs them.
 * @throws SetUpError when they are missing and cannot be installed, or when ffmpeg lacks an encoder
 */
export async function prepareFfmpeg(options: FfmpegOptions): Promise<FfmpegPaths> {
  const known = findKnownFfmpeg(options);
  if (known) return known;
  const found = find(options.ffmpegPath) ?? (await install(options));
  const version = await checkFfmpeg(found.ffmpegPath, options.signal);
  options.known.remember(found.ffmpegPath, version);
  options.known.remember(found.ffprobePath, version);
  options.report(`ffmpeg ${version}: ${found.ffmpegPath}`);
  return found;
}

async function install(options: FfmpegOptions): Promise<FfmpegPaths> {
  if (options.ffmpegPath !== undefined)
    throw new SetUpError(
      `FFMPEG_PATH names ${options.ffmpegPath}, but ffmpeg and ffprobe are not there; correct or unset it.`,
    );
  if (!canInstallPackages()) throw new SetUpError(`ffmpeg is missing: ${HOW_TO_FIX}.`);
  try {
    await installPackages(["ffmpeg"], options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new SetUpError(`ffmpeg is missing and could not be installed (${describe(error)}): ${HOW_TO_FIX}.`, {
      cause: error,
    });
  }
  const installed = find(undefined);
  if (!installed) throw new SetUpError(`ffmpeg was installed but is not on the PATH: ${HOW_TO_FIX}.`);
  return installed;
}

function find(askedPath: string | undefined): FfmpegPaths | undefined {
  const ffmpegPath = askedPath ?? findOnPath("ffmpeg");
  if (ffmpegPath === undefined || !isProgram(ffmpegPath)) return undefined;
  const beside = path.join(path.dirname(ffmpegPath), "ffprobe");
  const ffprobePath = isProgram(beside) ? beside : findOnPath("ffprobe");
  return ffprobePath === undefined ? undefined : { ffmpegPath, ffprobePath };
}

/** @returns the version */
async function checkFfmpeg(ffmpegPath: string, signal: AbortSignal | undefined): Promise<string> {
  let output: string;
  try {
    output = await runTool(ffmpegPath, ["-encoders"], { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new SetUpError(`${ffmpegPath} does not run (${describe(error)}): ${HOW_TO_FIX}.`, { cause: error });
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
