/**
 * The programs that conversions need: found on this machine, or fetched.
 * With nothing missing this costs a few file system calls.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { findKnownFfmpeg, prepareFfmpeg } from "./ffmpeg-set-up.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { KnownPrograms } from "./known-programs.ts";
import { findKnownYtDlp, prepareYtDlp } from "./yt-dlp-set-up.ts";

export interface ToolPaths {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

export interface ToolOptions {
  readonly dataDir: string;
  /** Where programs are kept that were fetched; `<dataDir>/tools` unless named. */
  readonly toolsDir?: string | undefined;
  /** The operator's own yt-dlp, taken as it is. */
  readonly ytDlpPath?: string | undefined;
  /** The operator's own ffmpeg, taken as it is; ffprobe is looked for beside it. */
  readonly ffmpegPath?: string | undefined;
  /** Gets a line for everything that takes time or was changed. */
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds or fetches yt-dlp, ffmpeg and ffprobe. Processes starting at once on one data folder take
 * turns; a set-up that was killed half-way is done again.
 * @throws SetUpError naming the command that mends it, when something cannot be had;
 * the signal's reason when aborted.
 */
export async function prepareTools(options: ToolOptions): Promise<ToolPaths> {
  const toolsDir = path.resolve(options.toolsDir ?? path.join(options.dataDir, "tools"));
  await mkdir(toolsDir, { recursive: true });
  const known = new KnownPrograms(toolsDir);
  const ytDlp = findKnownYtDlp({ ...options, toolsDir, known });
  const ffmpeg = findKnownFfmpeg({ ...options, known });
  if (ytDlp !== undefined && ffmpeg !== undefined) return { ytDlpPath: ytDlp, ...ffmpeg };

  return await withFolderLock(toolsDir, options, async () => {
    // Somebody may have finished the work while this process waited.
    const fresh = new KnownPrograms(toolsDir);
    const ffmpegPaths = await prepareFfmpeg({ ...options, known: fresh });
    const ytDlpPath = await prepareYtDlp({ ...options, toolsDir, known: fresh });
    return { ytDlpPath, ...ffmpegPaths };
  });
}
