/** Files that a visitor reads, again when the server or the connection is lost in the middle. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { persist, type Visitor } from "../testing/visitor.ts";

/** Reads a whole body, again from its beginning when the connection breaks. */
export function readWhole(visitor: Visitor, path: string): Promise<Buffer> {
  return persist(async () => Buffer.from(await (await visitor.call("GET", path)).arrayBuffer()));
}

/**
 * Downloads the file of a completed job and decodes it from its first to its last second.
 * @throws Error with ffmpeg's output when it cannot be played
 */
export async function playFile(visitor: Visitor, jobId: string, ffmpegPath: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-play-"));
  try {
    const file = join(folder, "file");
    await writeFile(file, await readWhole(visitor, `/api/conversions/${jobId}/file`));
    await promisify(execFile)(ffmpegPath, ["-v", "error", "-xerror", "-i", file, "-f", "null", "-"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
