/** Files that a test makes with ffmpeg, kept in the data folder of the checkout: later runs need not make them again. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export class KeptFiles {
  readonly #folder: string;
  readonly #ffmpegVersion: string;

  private constructor(folder: string, ffmpegVersion: string) {
    this.#folder = folder;
    this.#ffmpegVersion = ffmpegVersion;
  }

  static async open(dataDir: string, ffmpegPath: string): Promise<KeptFiles> {
    const folder = join(dataDir, "kept-files");
    await mkdir(folder, { recursive: true });
    const { stdout } = await promisify(execFile)(ffmpegPath, ["-version"]);
    return new KeptFiles(folder, stdout);
  }

  /**
   * Puts a copy of the kept file at a path, or makes the file there and keeps a copy.
   * @param recipe all that the file depends on, besides ffmpeg's version; JSON
   * @param path its folder must exist
   * @param make writes the file to the path
   */
  async put(recipe: unknown, path: string, make: () => Promise<void>): Promise<void> {
    const hash = createHash("sha256")
      .update(JSON.stringify([this.#ffmpegVersion, recipe]))
      .digest("hex");
    const kept = join(this.#folder, hash);
    if (await copied(kept, path)) return;
    await make();
    // A run that is killed leaves no half of a file under the final name.
    const draft = `${kept}.${randomUUID()}`;
    await copyFile(path, draft);
    await rename(draft, kept);
  }
}

async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
