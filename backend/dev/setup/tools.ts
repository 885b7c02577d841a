/** Finds or fetches the programs that conversions need. When none is missing, this takes a few file system calls. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { findKnownFfmpeg, prepareFfmpeg } from "./ffmpeg-set-up.ts";
import { repositoryDataDir } from "../repository.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { findOnPath } from "../../runtime/find-program.ts";
import { KnownPrograms } from "./known-programs.ts";
import { prepareSandbox } from "./sandbox-set-up.ts";
import { findKnownYtDlp, prepareYtDlp } from "./yt-dlp-set-up.ts";

export interface ToolPaths {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

export interface ToolOptions {
  readonly dataDir: string;
  /** Folder of fetched programs; `<dataDir>/tools` unless given. */
  readonly toolsDir?: string | undefined;
  /** The operator's yt-dlp; used in any version. */
  readonly ytDlpPath?: string | undefined;
  /** The operator's ffmpeg; ffprobe is searched in its folder first. */
  readonly ffmpegPath?: string | undefined;
  /** Gets a line for every step that takes time or changes something. */
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds or fetches yt-dlp, ffmpeg and ffprobe, and bubblewrap where it can be installed. Only one process at a time
 * sets up a tools folder; a set-up that was killed is done again.
 * @throws SetUpError that names the command that fixes it, when a program is missing and cannot be fetched; the
 * signal's reason when aborted
 */
export async function prepareTools(options: ToolOptions): Promise<ToolPaths> {
  const toolsDir = path.resolve(options.toolsDir ?? path.join(options.dataDir, "tools"));
  await mkdir(toolsDir, { recursive: true });
  const known = new KnownPrograms(toolsDir);
  const ytDlp = findKnownYtDlp({ ...options, toolsDir, known });
  const ffmpeg = findKnownFfmpeg({ ...options, known });
  if (ytDlp !== undefined && ffmpeg !== undefined && findOnPath("bwrap") !== undefined)
    return { ytDlpPath: ytDlp, ...ffmpeg };

  return await withFolderLock(toolsDir, options, async () => {
    // Another process may have finished the work while this one waited for the lock.
    const fresh = new KnownPrograms(toolsDir);
    const ffmpegPaths = await prepareFfmpeg({ ...options, known: fresh });
    await prepareSandbox(options);
    const ytDlpPath = await prepareYtDlp({ ...options, toolsDir, known: fresh });
    return { ytDlpPath, ...ffmpegPaths };
  });
}

/**
 * Finds or fetches the tools of this checkout, for tests and commands of developers. YTDLP_PATH and FFMPEG_PATH choose
 * others; an empty one counts as missing.
 * @throws SetUpError as {@link prepareTools} does
 */
export function prepareToolsOfCheckout(report: ToolOptions["report"]): Promise<ToolPaths> {
  return prepareTools({
    dataDir: repositoryDataDir(),
    ytDlpPath: process.env["YTDLP_PATH"] || undefined,
    ffmpegPath: process.env["FFMPEG_PATH"] || undefined,
    report,
  });
}
