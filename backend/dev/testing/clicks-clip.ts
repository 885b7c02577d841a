import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { repositoryDataDir } from "../repository.ts";
import { prepareClips, SMALL_CLIPS } from "../stand-ins/sample-site/clips.ts";

/** Copies the clip of clicks, whose frames need later ones, to a path. Tools read from their working folder only. */
export async function copyClicksClip(path: string): Promise<void> {
  const { ffmpegPath } = inject("toolPaths");
  const shared = { dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined };
  const clips = await prepareClips({ ...shared, collection: SMALL_CLIPS });
  await copyFile(join(clips, "clicks/video.mp4"), path);
}
