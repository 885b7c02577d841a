/** Makes one file for each chapter of a fetched video, in one archive. */
import { join } from "node:path";
import type { ChosenTags } from "../../../common/choices.ts";
import { downloadName } from "../../../common/download-name.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { FileKind } from "../../../common/findings.ts";
import type { Shortfall } from "../../../common/shortfall.ts";
import type { MediaFormat, TierLimits } from "../../../common/tiers.ts";
import { sizeOf } from "../../tool-files/tool-files.ts";
import { fileTooLarge } from "../errors/wording.ts";
import { chapterParts, type ChapterPart } from "../part/chapter-parts.ts";
import { markCut } from "../part/mark-join.ts";
import { partSeconds } from "../part/part.ts";
import { planEncode, type EncodePlan } from "../plan/encode-plan.ts";
import { plannedWork } from "../plan/planned-times.ts";
import type { MediaFile } from "../probe/media-file.ts";
import type { WorkKind } from "../progress/learned-paces.ts";
import { verifyResult } from "../verify/verify.ts";
import { ChapterArchive } from "./chapter-archive.ts";
import type { FileTags } from "./encode.ts";
import { makeFromFiles, type ResultWork } from "./make-result.ts";

export interface ChapterFilesWork extends Omit<ResultWork, "plan" | "onWritten"> {
  readonly format: MediaFormat;
  readonly chosenTags: ChosenTags | undefined;
  /** For files that are made on the way. */
  readonly folder: string;
  /** Of the archive. */
  readonly outputPath: string;
  /** Called when it is known what has to be done. */
  readonly onPlanned: (planned: { readonly work: WorkKind; readonly seconds: number }) => void;
  /** Called when a picture gets fewer lines than the plan allows. */
  readonly onShortfall: (shortfall: Shortfall) => void;
}

export interface ChapterFiles {
  readonly sizeBytes: number;
  /** Of all files together. */
  readonly durationSeconds: number;
  /** By which the whole video would be made. */
  readonly plan: EncodePlan;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** What each file may take of the size of all. */
function shareOfLimits(limits: TierLimits, share: number): TierLimits {
  return { ...limits, maxFileBytes: limits.maxFileBytes * share };
}

/** @returns such as "01 Title.mp3": no two are alike, and sorted they are in the order of the video */
function namesOf(parts: readonly ChapterPart[], kind: FileKind): readonly string[] {
  const digits = Math.max(2, String(parts.length).length);
  return parts.map(({ title }, index) => downloadName(`${String(index + 1).padStart(digits, "0")} ${title}`, kind));
}

/** The video is the album of its chapters, unless site or visitor name another one. */
function tagsOf(work: ChapterFilesWork, title: string, number: number, count: number): FileTags {
  const { tags, chosenTags = {} } = work;
  const album = chosenTags.album === undefined ? (tags.album ?? tags.title) : tags.album;
  return { ...tags, title, album, track: `${number}/${count}`, chapters: undefined };
}

/** Plans from what is known without a search for key frames, so some pictures may be copied after all. */
function expectedWork(plans: readonly EncodePlan[], sourceBytes: number): { work: WorkKind; seconds: number } {
  const works = plans.map((plan) => plannedWork(plan, sourceBytes / plans.length));
  const work = works.find((one) => one.work === "encode")?.work ?? works[0]?.work ?? "copy";
  return { work, seconds: sumOf(works.map(({ seconds }) => seconds)) };
}

/**
 * Writes `outputPath`. Each file is made as a part of the video is: from the sources, so that it begins and ends where
 * its chapter does, and nothing is encoded twice.
 * @throws ConversionError "no_chapters"; "too_large" when all files together are above the limit; what makes parts fail
 * @throws `signal.reason` when aborted
 */
export async function makeChapterFiles(work: ChapterFilesWork): Promise<ChapterFiles> {
  const { signal } = work;
  const { format, sources, limits, tags, folder, outputPath, onFraction } = work;
  const whole = planEncode(format, sources, limits);
  const { durationSeconds } = whole;
  const parts = chapterParts(tags.chapters ?? [], durationSeconds);
  if (parts.length === 0) throw new ConversionError("no_chapters");
  // Whether a picture is encoded depends on the length of all, as each is encoded after the other.
  const planPart = (files: readonly MediaFile[], { part }: ChapterPart): EncodePlan =>
    planEncode(format, files, shareOfLimits(limits, partSeconds(part) / durationSeconds), part, {
      allSeconds: durationSeconds,
    });
  const sourceBytes = sumOf(sources.map(({ sizeBytes }) => sizeBytes));
  const expected = parts.map((part) => planPart(sources, part));
  work.onPlanned(expectedWork(expected, sourceBytes));
  const shortfall = expected.map((plan) => (plan.format === "mp4" ? plan.shortfall : undefined)).find(Boolean);
  if (shortfall) work.onShortfall({ ...shortfall, maxBytes: limits.maxFileBytes });

  const names = namesOf(parts, whole.format === "original" ? whole.fileKind : whole.format);
  await using archive = await ChapterArchive.create(outputPath, signal);
  let bytes = 0;
  let seconds = 0;
  onFraction(0);
  for (const [index, part] of parts.entries()) {
    const marked =
      format === "mp4" ? await Promise.all(sources.map((source) => markCut(work, source, part.part))) : sources;
    const plan = planPart(marked, part);
    const path = join(folder, `chapter-${index}.${format}`);
    const before = seconds;
    await makeFromFiles({
      ...work,
      plan,
      sources: marked,
      tags: tagsOf(work, part.title, index + 1, parts.length),
      outputPath: path,
      // What is written is the archive.
      onWritten: undefined,
      onFraction: (fraction) => onFraction((before + fraction * plan.durationSeconds) / durationSeconds),
    });
    const made = await verifyResult(work, path, plan, limits);
    seconds += made.durationSeconds;
    bytes += await archive.take(path, names[index] ?? `${index + 1}.${format}`);
    if (bytes > limits.maxFileBytes)
      throw new ConversionError("too_large", fileTooLarge(Math.round(bytes * (durationSeconds / seconds)), limits));
    onFraction(Math.min(1, seconds / durationSeconds));
  }
  await archive.finish();
  const sizeBytes = await sizeOf(outputPath);
  if (sizeBytes > limits.maxFileBytes) throw new ConversionError("too_large", fileTooLarge(sizeBytes, limits));
  return { sizeBytes, durationSeconds: seconds, plan: whole };
}
