/** Makes the original sound, FLAC and WAV from fetched files. */
import { ConversionError } from "../../../common/errors.ts";
import type { Part } from "../../../common/choices.ts";
import { chaptersOfResult, type Chapter } from "../probe/chapters.ts";
import { cutFilters } from "./cut-filters.ts";
import { CHAPTER_INPUT, commentArgs, writeChapters } from "./chapter-input.ts";
import { cutArgs, planSeeks, planSeeksToPacket, seekArgs, type Seeks } from "../part/seeks.ts";
import { maxSecondsFor } from "../plan/plan-bounds.ts";
import { codecOf, isCopied, type SoundKind, type SoundPlan } from "../plan/sound-plan.ts";
import { INPUT_GUARD, measureSeconds, type MediaFile } from "../probe/media-file.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { isSameDuration } from "../verify/verify.ts";
import { filterArgs, silencesFor, SIZE_MARGIN_BYTES, soundFilters, tagArgs, type FileTags } from "./encode.ts";
import { id3Tag, overwriteTag } from "./id3-tag.ts";
import { writePictureComment } from "./ogg-picture.ts";
import { appendTag } from "./chunk-tag.ts";
import type { FileWork } from "./file-work.ts";

export interface SoundWork extends FileWork {
  readonly plan: SoundPlan;
  readonly sources: readonly MediaFile[];
  /** A JPEG; Matroska, AMR and WavPack get none. */
  readonly coverPath: string | undefined;
}

/** ffmpeg's name of the container, and its options. */
const MUXERS: Readonly<Record<SoundKind, readonly string[]>> = {
  m4a: ["-movflags", "+faststart", "-f", "ipod"],
  opus: ["-f", "opus"],
  ogg: ["-f", "ogg"],
  mp3: ["-id3v2_version", "3", "-write_id3v1", "0", "-f", "mp3"],
  flac: ["-f", "flac"],
  wav: ["-f", "wav"],
  aiff: ["-f", "aiff"],
  amr: ["-f", "amr"],
  wv: ["-f", "wv"],
  mka: ["-f", "matroska"],
};

/** The muxer of M4A takes Apple's codecs only. */
const DOLBY = /^e?ac3$/;
const DOLBY_MUXER = ["-movflags", "+faststart", "-f", "mp4"];

/** Kinds with an ID3 tag, which is written when the sound is there. */
const TAG_WRITERS: Partial<Record<SoundKind, (path: string, tag: Buffer) => Promise<void>>> = {
  mp3: overwriteTag,
  wav: appendTag,
  aiff: appendTag,
};
/** Kinds for which ffmpeg writes chapters. */
const WITH_CHAPTERS: ReadonlySet<SoundKind> = new Set(["m4a", "mka"]);
/** Kinds whose chapters are Vorbis comments. */
const WITH_COMMENTS: ReadonlySet<SoundKind> = new Set(["opus", "ogg", "flac"]);

/** Without the last option ffmpeg holds ten seconds of sound back to wait for a second picture, also at the size limit. */
const PICTURE_ARGS = "-map 1:v:0 -c:v copy -disposition:v:0 attached_pic -max_interleave_delta 1".split(" ");

interface CoverArgs {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

/** The source's own tags are dropped in any case. Kinds of TAG_WRITERS get theirs with the cover afterwards. */
async function coverArgs(kind: SoundKind, { coverPath, outputPath }: SoundWork): Promise<CoverArgs> {
  // Without the kinds the option would also drop the titles of chapters.
  const dropped = ["-map_metadata:g", "-1", "-map_metadata:s", "-1"];
  if (coverPath === undefined) return { input: [], output: dropped };
  if (kind === "m4a" || kind === "flac")
    return { input: ["-f", "jpeg_pipe", "-i", `file:${coverPath}`], output: [...dropped, ...PICTURE_ARGS] };
  if (kind !== "opus" && kind !== "ogg") return { input: [], output: dropped };
  const commentPath = `${outputPath}.cover`;
  await writePictureComment(commentPath, coverPath);
  const input = ["-f", "ffmetadata", "-i", `file:${commentPath}`];
  // Ogg has tags in its stream, which would win.
  return { input, output: ["-map_metadata", "1", "-map_metadata:s", "-1"] };
}

function codecArgs(plan: SoundPlan): readonly string[] {
  switch (plan.format) {
    case "original":
      if (!isCopied(plan)) return ["-c:a", codecOf(plan)];
      // Readers of some containers begin before the packet that is looked for. At the beginning of the video that packet
      // prepares decoders for the first sound.
      return plan.part && plan.part.startSeconds > 0 ? ["-c:a", "copy", "-copypriorss", "0"] : ["-c:a", "copy"];
    case "flac":
      return ["-c:a", "flac", "-sample_fmt", plan.sampleBits === 24 ? "s32" : "s16"];
    case "wav":
      return ["-c:a", `pcm_s${plan.sampleBits}le`];
  }
}

/** With any offset of a transport stream ffmpeg leaves its times alone. Else it takes the first sound for the beginning. */
const KEEP_TIMES = ["-itsoffset", "0.000001"];

/** @returns how the part is found; packets that are copied begin with the first of the part */
function seeksFor(plan: SoundPlan, part: Part, source: MediaFile): Seeks {
  return isCopied(plan) ? planSeeksToPacket(part, [source]) : planSeeks(part, [source]);
}

/** Kinds with the count of tracks in a field of its own, by its name. Other kinds have "3/12". */
const COUNT_FIELDS: Partial<Record<SoundKind, string>> = {
  opus: "TRACKTOTAL",
  ogg: "TRACKTOTAL",
  flac: "TRACKTOTAL",
  // Of Matroska, where ffmpeg writes the number as PART_NUMBER.
  mka: "TOTAL_PARTS",
};

/** No field is set twice: ffmpeg would write the fields in another order, and of two with one name players read the last. */
function withCount(kind: SoundKind, tags: FileTags): readonly string[] {
  const countField = COUNT_FIELDS[kind];
  const [track, count] = tags.track?.split("/") ?? [];
  if (countField === undefined || track === undefined || count === undefined) return tagArgs(tags);
  return [...tagArgs({ ...tags, track }), "-metadata", `${countField}=${count}`];
}

function namedArgs(kind: SoundKind, tags: FileTags, chapters: readonly Chapter[], tag: Buffer | undefined) {
  if (kind === "mp3") return ["-metadata_header_padding", String(tag?.length)];
  return WITH_COMMENTS.has(kind) ? [...withCount(kind, tags), ...commentArgs(chapters)] : withCount(kind, tags);
}

/**
 * Writes `outputPath`.
 * @throws what {@link runFfmpeg} throws; ConversionError "network" for a FLAC that is shorter than it states
 */
export async function makeSound(work: SoundWork): Promise<void> {
  const { plan, sources, limits, tags, coverPath, outputPath, onFraction } = work;
  const { audio, durationSeconds } = plan;
  const source = sources[audio.source];
  if (!source) throw new RangeError("the plan names a source that is not there");
  const kind = plan.format === "original" ? plan.fileKind : plan.format;
  const chapters = chaptersOfResult(tags.chapters, plan);
  const writeTag = TAG_WRITERS[kind];
  const tag = writeTag && (await id3Tag({ ...tags, chapters, coverPath }));
  const chapterPath = WITH_CHAPTERS.has(kind) ? await writeChapters(outputPath, chapters) : undefined;
  const cover = await coverArgs(kind, work);
  const seeks = plan.part && seeksFor(plan, plan.part, source);
  const [seek] = seeks?.inputs ?? [];
  const chapterDelay = seeks ? ["-itsoffset", String(seeks.leadSeconds)] : [];
  const lateArgs = isCopied(plan) && audio.stream.lateSeconds !== undefined ? KEEP_TIMES : [];
  const cuts = cutFilters(plan, seeks);
  const channelCount = plan.format === "original" ? audio.stream.channelCount : plan.channelCount;
  const filters = isCopied(plan)
    ? []
    : [...silencesFor(audio.stream, source.container, seek), ...soundFilters(audio.stream, channelCount, cuts)];
  const chapterInput = cover.input.length > 0 ? 2 : 1;
  const args = [
    ...INPUT_GUARD,
    ...(seek ? seekArgs(seek) : lateArgs),
    "-i",
    `file:${source.path}`,
    // What is cut off at the beginning of the sound would take picture and chapters with it. The picture's times are
    // whole frames.
    ...(seeks && cover.input.length > 0 ? ["-itsoffset", String(Math.ceil(seeks.leadSeconds))] : []),
    ...cover.input,
    ...(chapterPath === undefined ? [] : [...chapterDelay, ...CHAPTER_INPUT, "-i", `file:${chapterPath}`]),
    "-map",
    `0:${audio.stream.index}`,
    ...cover.output,
    "-map_chapters",
    String(chapterPath === undefined ? -1 : chapterInput),
    ...codecArgs(plan),
    ...filterArgs(filters),
    ...namedArgs(kind, tags, chapters, tag),
    ...(seeks ? cutArgs(seeks, durationSeconds) : ["-t", String(maxSecondsFor(durationSeconds))]),
    "-fs",
    String(limits.maxFileBytes + SIZE_MARGIN_BYTES),
    ...(plan.format === "original" && DOLBY.test(audio.stream.codec) ? DOLBY_MUXER : MUXERS[kind]),
    // A file of a first try may be there, see `what-is-there.ts`.
    "-y",
    outputPath,
  ];
  await runFfmpeg(work, args, outputPath, (seconds) => onFraction(Math.min(1, seconds / durationSeconds)));
  // The header of a copied FLAC states the length of its source, whatever there is of it.
  if (kind === "flac" && isCopied(plan)) {
    const madeSeconds = (await measureSeconds(work, outputPath, 0)) ?? 0;
    if (!isSameDuration(madeSeconds, durationSeconds))
      throw new ConversionError("network", { detail: `${madeSeconds} s of ${durationSeconds} s were copied` });
  }
  if (writeTag && tag) await writeTag(outputPath, tag);
}
