/** Reads downloaded files. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Download } from "@playwright/test";
import { z } from "zod";

const FFPROBE = process.env["FFMPEG_PATH"]?.replace(/ffmpeg$/, "ffprobe") || "ffprobe";

const Probe = z.object({
  format: z.object({ duration: z.coerce.number() }),
  streams: z.array(
    z.object({
      codec_name: z.string(),
      height: z.number().optional(),
      disposition: z.object({ attached_pic: z.literal([0, 1]) }),
    }),
  ),
});

/** @returns ffprobe's data about the downloaded file */
export async function probe(download: Download) {
  const args = ["-v", "error", "-of", "json", "-show_format", "-show_streams", await download.path()];
  const { stdout } = await promisify(execFile)(FFPROBE, args);
  return Probe.parse(JSON.parse(stdout));
}
