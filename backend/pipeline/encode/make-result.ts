/** Makes a result from fetched files, by its plan. */
import type { Encode } from "./encode.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { MediaFile } from "../probe/media-file.ts";
import { pictureInTime } from "./cover.ts";
import type { FileWork } from "./file-work.ts";
import { makeSound } from "./make-sound.ts";
import { makeMp3, type Mp3Work } from "./stream-mp3.ts";
import { makeMp4 } from "./stream-mp4.ts";

export interface ResultWork extends FileWork {
  readonly plan: EncodePlan;
  readonly sources: readonly MediaFile[];
  readonly subtitles: Encode["subtitles"];
  readonly coverPath: Promise<string | undefined>;
  readonly onWritten?: Mp3Work["onWritten"];
}

/**
 * Writes `outputPath`.
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function makeFromFiles(work: ResultWork): Promise<void> {
  const { pipeline, signal } = work;
  const { plan, sources, subtitles, coverPath, onWritten, ...common } = work;
  if (plan.format === "mp3") {
    const source = sources[plan.audio.source];
    if (!source) throw new RangeError("the plan names a source that is not there");
    await makeMp3({ ...work, ...common, plan, source, coverPath, onWritten });
    return;
  }
  if (plan.format !== "mp4") {
    await makeSound({ ...work, ...common, plan, sources, coverPath: await coverPath });
    return;
  }
  // Sound alone needs the picture, which is shown then.
  const picturePath =
    plan.video.method === "still"
      ? await coverPath
      : await pictureInTime(coverPath, pipeline.limits.coverWaitMs, signal);
  await makeMp4({ ...work, ...common, plan, sources, subtitles, coverPath: picturePath });
}
