/** Reads the streams of a fetched file. One that is joined of several is first changed so that ffmpeg reads all of it. */
import { inspectMedia, measureLengths, type MediaFile } from "../probe/media-file.ts";
import type { Work } from "../pipeline.ts";
import { joinChain } from "./join-chain.ts";
import { joinFiles } from "./join-files.ts";
import { giveOneClock } from "./one-clock.ts";
import { rewriteSlides } from "./rewrite-slides.ts";

/** More than what lengths may differ by: a source that is cut off behind it is still recognised as too long. */
const BEHIND_END_SECONDS = 5;

interface WholeFile {
  readonly path: string;
  /** Its times may begin anew within it. */
  readonly hasDiscontinuities?: boolean;
}

/** @param endSeconds what is behind it may be left out */
export async function inspectWhole(
  work: Work,
  { path, hasDiscontinuities = false }: WholeFile,
  endSeconds: number,
): Promise<MediaFile> {
  if (hasDiscontinuities) await giveOneClock(path, work.signal);
  const media = await inspectJoined(work, path, endSeconds);
  return hasDiscontinuities ? measureLengths(work, media) : media;
}

async function inspectJoined(work: Work, path: string, endSeconds: number): Promise<MediaFile> {
  const media = await inspectMedia(work, path);
  if (media.container === "ogg") return joinChain(work, media, endSeconds + BEHIND_END_SECONDS);
  return media.container === "mpegts" ? rewriteSlides(work, media) : joinFiles(work, media);
}
