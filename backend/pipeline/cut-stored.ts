/** Makes a part of a finished file, which is read from the storage. The site of its video is not asked. */
import { join } from "node:path";
import type { Part } from "../../common/choices.ts";
import { ConversionError } from "../../common/errors.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import { flushFile, readFile } from "../tool-files/tool-files.ts";
import type { ConversionWork, ConvertedFile, MediaRequest, StoredSource } from "./conversion.ts";
import { readAlbumArtist } from "./encode/chunk-tag.ts";
import type { Encode } from "./encode/encode.ts";
import { makeFromFiles } from "./encode/make-result.ts";
import { copyCover } from "./encode/picture.ts";
import { markFirstPicture } from "./part/key-frame.ts";
import { markCut } from "./part/mark-join.ts";
import { partSeconds, shareOf } from "./part/part.ts";
import type { Work } from "./pipeline.ts";
import { planEncode } from "./plan/encode-plan.ts";
import { plannedSeconds, plannedWork } from "./plan/planned-times.ts";
import { INPUT_GUARD, inspectMedia, type MediaFile } from "./probe/media-file.ts";
import { readOwnTags, type OwnTags } from "./probe/own-tags.ts";
import { titleOfPart, titleOfWhole } from "./probe/tags.ts";
import { ProgressReporter } from "./progress/progress-reporter.ts";
import { checkFreeSpace } from "./process/free-space.ts";
import { runFfmpeg } from "./process/ffmpeg.ts";
import { parseCues } from "./subtitles/parse-cues.ts";
import { verifyMade } from "./verify/verify-made.ts";

/** As many as a site may send. */
const MAX_SUBTITLE_BYTES = 10_000_000;

/** @returns the part on the time line of the file */
function partInFile(
  part: Part,
  { part: { startSeconds: from } = { startSeconds: 0, endSeconds: 0 } }: StoredSource,
): Part {
  const [startSeconds = 0, endSeconds = 0] = [part.startSeconds, part.endSeconds].map(
    (seconds) => Math.round((seconds - from) * 1_000) / 1_000,
  );
  return { startSeconds, endSeconds };
}

/** Looks into the file as a fetch does into its sources. */
async function inspectStored(work: ConversionWork<MediaRequest>, path: string, part: Part): Promise<MediaFile> {
  const marked = await markFirstPicture(work, await inspectMedia(work, path));
  return work.request.format === "mp4" ? markCut(work, marked, part) : marked;
}

async function readSubtitles(
  work: Work,
  { path }: MediaFile,
  { subtitles }: OwnTags,
  folder: string,
): Promise<Encode["subtitles"]> {
  if (!subtitles) return undefined;
  const textPath = join(folder, "stored.vtt");
  const args = ["-map", `0:${subtitles.index}`, "-f", "webvtt", "-y", textPath];
  await runFfmpeg(work, [...INPUT_GUARD, "-i", `file:${path}`, ...args], textPath);
  const cues = parseCues((await readFile(textPath, MAX_SUBTITLE_BYTES)).toString("utf8"));
  return cues.length === 0 ? undefined : { language: subtitles.language, cues };
}

/**
 * Writes the chosen part of a finished file, in its format.
 * @throws ConversionError; `signal.reason` when aborted
 */
export async function cutStored(work: ConversionWork<MediaRequest>, stored: StoredSource): Promise<ConvertedFile> {
  const { request, listener, pipeline } = work;
  const { format, limits, folder, choices } = request;
  const wanted = choices?.part;
  if (!wanted) throw new ConversionError("internal", { detail: "a cut without a part" });
  const part = partInFile(wanted, stored);
  await checkFreeSpace(folder, pipeline.limits.minFreeDiskBytes + 2 * stored.sizeBytes);
  const reporter = new ProgressReporter({
    planned: { ...plannedSeconds(format, partSeconds(wanted), stored.sizeBytes), download: 0 },
    listen: (progress) => listener.progress(progress),
    paces: pipeline.paces,
  });
  using stack = new DisposableStack();
  stack.use(reporter.tickRegularly());
  reporter.report("convert", 0);
  const path = join(folder, "stored");
  await stored.copyTo(path);
  const source = await inspectStored(work, path, part);
  const own = await readOwnTags(work, source);
  const coverPath = own.cover && (await copyCover(work, path, own.cover.index, folder));
  const albumArtist = source.container === "wav" ? await readAlbumArtist(path) : own.tags.albumArtist;
  const plan = planEncode(format, [source], limits, part);
  listener.found({
    durationSeconds: plan.durationSeconds,
    ...(plan.format === "original" && { fileKind: plan.fileKind }),
    ...(plan.format === "mp4" && plan.shortfall && { shortfall: plan.shortfall }),
  });
  reporter.expect(plannedWork(plan, stored.sizeBytes * shareOf(part, source.durationSeconds)));
  const title = titleOfWhole(own.tags.title, stored.part);
  const outputPath = join(folder, `result.${format}`);
  const onWritten = (final: FinalBytes | null): void => listener.written?.(outputPath, final);
  onWritten(null);
  await makeFromFiles({
    ...work,
    plan,
    sources: [source],
    limits,
    tags: {
      ...own.tags,
      albumArtist,
      // The visitor's own title stays as it is.
      title: choices.tags?.title === undefined ? titleOfPart(title, wanted) : own.tags.title,
      chapters: own.chapters,
    },
    subtitles: await readSubtitles(work, source, own, folder),
    coverPath: Promise.resolve(coverPath),
    outputPath,
    onWritten,
    onFraction: (fraction) => reporter.report("convert", fraction),
  });
  reporter.report("store", 0);
  const [made] = await Promise.all([verifyMade(work, outputPath, plan, [source], limits), flushFile(outputPath)]);
  return { path: outputPath, ...made };
}
