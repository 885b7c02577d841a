/**
 * Builds the encode commands with fluent-ffmpeg, and runs them. fluent-ffmpeg only writes the command line. The tool
 * itself runs under the same runner as all tools, so that cancellation and memory limits hold for it too.
 */
import ffmpeg, { type FfmpegCommand } from "fluent-ffmpeg";
import { ConversionError } from "../../../common/errors.ts";
import { chaptersOfResult, type Chapter } from "../probe/chapters.ts";
import { cutFilters, type CutFilters } from "./cut-filters.ts";
import { CHAPTER_INPUT, chapterMap, writeChapters } from "./chapter-input.ts";
import type { Cover } from "./cover.ts";
import type { Subtitles } from "../subtitles/fetch-subtitles.ts";
import { SUBTITLE_INPUT, subtitleArgs, writeSubtitleTrack, type SubtitleTrack } from "../subtitles/subtitle-track.ts";
import { BackgroundFlush } from "./background-flush.ts";
import {
  cutArgs,
  planSeeks,
  planSeeksToKeyFrame,
  planSeeksToPacket,
  seekArgs,
  type InputSeek,
  type Seeks,
} from "../part/seeks.ts";
import type { Mp3Plan, Mp4Plan, VideoTrackPlan } from "../plan/encode-plan.ts";
import { mixDown } from "../plan/mix-down.ts";
import { maxSecondsFor } from "../plan/plan-bounds.ts";
import { runFfmpeg, type Feed } from "../process/ffmpeg.ts";
import type { MediaTags } from "../probe/tags.ts";
import { shorterSide } from "../probe/ffprobe-output.ts";
import { INPUT_GUARD, type AudioStream, type MediaFile, type VideoStream } from "../probe/media-file.ts";
import { CHUNK_SECONDS, estimateIndexBytes } from "./index-size.ts";
import { isWholeWithIndexInFront } from "../mp4/layout.ts";
import type { Work } from "../pipeline.ts";

export interface FileTags extends MediaTags {
  /** Where the video is; written as the comment. */
  readonly link?: string;
  /** On the time line of the whole video. */
  readonly chapters?: readonly Chapter[] | undefined;
}

export interface Encode {
  readonly plan: Mp3Plan | Mp4Plan;
  readonly sources: readonly MediaFile[];
  readonly tags: FileTags;
  /** A JPEG, shown by an MP4 that has no other picture. */
  readonly coverPath: string | undefined;
  /** Of an MP4, for players that show a picture beside the title. */
  readonly cover?: Cover | undefined;
  readonly outputPath: string;
  /** ffmpeg stops writing at this size; verification detects a result that reaches it. */
  readonly maxFileBytes: number;
  /**
   * Bytes reserved for an MP4's index in front of the media. When absent, ffmpeg makes room in a second pass by moving
   * the media back.
   */
  readonly reservedIndexBytes?: number;
  /** An MP4 that is played while it is written, to a pipe. */
  readonly isFragmented?: boolean;
  /** Of an MP4. */
  readonly subtitles?: Subtitles | undefined;
  readonly subtitleTrack?: SubtitleTrack | undefined;
  /** Path of what {@link writeChapters} has written. */
  readonly chapterPath?: string | undefined;
  /** Bytes reserved for an MP3's tag; see id3-tag.ts. */
  readonly reservedTagBytes?: number;
  /** Threads of the video decoder and of the video encoder, each; ffmpeg's default when absent. */
  readonly threadCount?: number;
}

/** Frame rate of a still picture: enough for players to seek. */
const STILL_FRAMES_PER_SECOND = 5;
const MAX_FRAMES_PER_SECOND = 60;
/** ffmpeg may write this much more than allowed, so that verification recognises a file cut off at the limit. */
export const SIZE_MARGIN_BYTES = 1_000_000;

/**
 * Bit rate limit for encoded video. The buffer is two seconds of it. With a larger one x264 would state a level that
 * old phones refuse: these limits stay within level 3.1 up to 480 lines and 4.2 above (H.264, table A-1).
 */
export function maxVideoKbps(heightLines: number): number {
  return heightLines <= 480 ? 7_000 : 25_000;
}

/** H.264 level 4.2: up to 1080 lines at 60 frames per second. */
export const MAX_H264_LEVEL = 42;

/**
 * The sum of several channels of surround sound can exceed full scale. Peaks are limited to 0.89, because a lossy
 * encoder can raise them again; sound below that keeps its level.
 */
const LIMITER = "alimiter=limit=0.89:level=false:latency=true";

/** Time without reception in a transport stream. It becomes silent in a part, whose moments are those of the picture. */
const FILL_HOLES = "aresample=async=1";

/**
 * Sound that begins later than its file. Without the silence an MP3 would begin with the sound, and all moments would be
 * others. The times of the sound are not used: ffmpeg counts those of a transport stream from the sound on.
 * @param seek where reading of the file starts for a part
 * @returns filters for a result of one source
 */
export function silencesFor(
  { lateSeconds = 0 }: AudioStream,
  container: string | undefined,
  seek?: InputSeek,
): readonly string[] {
  const milliseconds = Math.round((lateSeconds - (seek?.seekSeconds ?? 0)) * 1_000);
  const before = milliseconds > 0 ? [`asetpts=N/SR/TB,adelay=${milliseconds}:all=1`] : [];
  return seek && container === "mpegts" ? [FILL_HOLES, ...before] : before;
}

/**
 * @param channelCount of the result
 * @param cuts filters that leave something out
 */
export function soundFilters(stream: AudioStream, channelCount: number, cuts?: CutFilters): readonly string[] {
  const isMixed = stream.channelCount > Math.max(2, channelCount);
  return [...(cuts ? [cuts.sound] : []), ...(isMixed ? [mixDown(stream), LIMITER] : [])];
}

/** @returns arguments that apply filters to the sound */
export function filterArgs(filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : ["-af", filters.join(",")];
}

/**
 * @param cuts filters that leave something out
 * @param silence filters of {@link silencesFor}
 * @returns arguments for sound that is encoded
 */
export function channelArgs(
  stream: AudioStream,
  channelCount: 1 | 2,
  cuts?: CutFilters,
  silence: readonly string[] = [],
): readonly string[] {
  return [...filterArgs([...silence, ...soundFilters(stream, channelCount, cuts)]), "-ac", String(channelCount)];
}

/** Maps HDR to the range of ordinary screens. White is 100 nits; highlights are compressed instead of cut off. */
const HDR_TO_SDR =
  "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv," +
  "format=yuv420p";

/** Maps the wide range of colours to that of ordinary screens. */
const BT2020_TO_BT709 = "zscale=t=bt709:p=bt709:m=bt709:r=tv,format=yuv420p";

/** @returns filters that map the colours to those of ordinary screens, where they are others */
function colourFilters({ isHdr, colour = {} }: VideoStream): readonly string[] {
  const { color_primaries: primaries, colorspace: matrix, color_trc: transfer } = colour;
  const isWide = [primaries, matrix].some((name) => name?.startsWith("bt2020"));
  if (!isHdr && !isWide) return [];
  // zscale refuses what it would have to guess. A transfer that is not stated is unlikely to be one of HDR.
  const stated = [
    ...(primaries === undefined ? ["color_primaries=bt2020"] : []),
    ...(matrix === undefined ? ["colorspace=bt2020nc"] : []),
    ...(transfer === undefined ? ["color_trc=bt709"] : []),
  ];
  const assumed = stated.length > 0 ? [`setparams=${stated.join(":")}`] : [];
  return [...assumed, isHdr ? HDR_TO_SDR : BT2020_TO_BT709];
}

/** One frame of each two fields, so that no moving edge looks like a comb. */
function deinterlaceFilters({ firstField }: VideoStream): readonly string[] {
  return firstField === undefined ? [] : [`bwdif=mode=send_frame:parity=${firstField}:deint=all`];
}

/** @returns arguments that write the tags into the output */
export function tagArgs(tags: FileTags): string[] {
  const { title, artist, album, albumArtist, track, date, description, link } = tags;
  const named = { title, artist, album, album_artist: albumArtist, track, date, description, comment: link };
  return Object.entries(named).flatMap(([name, text]) => (text === undefined ? [] : ["-metadata", `${name}=${text}`]));
}

function writeMp3(
  command: FfmpegCommand,
  encode: Encode,
  plan: Mp3Plan,
  cuts: CutFilters | undefined,
  seeks: Seeks | undefined,
): void {
  const { source, stream } = plan.audio;
  const silence = silencesFor(stream, encode.sources[source]?.container, seeks?.inputs[source]);
  command.outputOptions("-map", `${plan.audio.source}:${plan.audio.stream.index}`);
  command.outputOptions("-c:a", "libmp3lame", "-b:a", `${plan.bitrateKbps}k`);
  command.outputOptions(...channelArgs(plan.audio.stream, plan.channelCount, cuts, silence));
  command.outputOptions("-ar", String(plan.sampleRateHz), "-id3v2_version", "3", "-write_id3v1", "0");
  command.outputOptions("-metadata_header_padding", String(encode.reservedTagBytes ?? 0));
  command.format("mp3");
}

/** Shows the cover, or black, for the length of the sound. */
function addStillVideo(command: FfmpegCommand, encode: Encode, durationSeconds: number): void {
  const rate = String(STILL_FRAMES_PER_SECOND);
  if (encode.coverPath === undefined) command.input(`color=black:size=640x360:rate=${rate}`).inputFormat("lavfi");
  else command.input(encode.coverPath).inputFormat("image2").inputOptions("-loop", "1", "-framerate", rate);
  // Else a part would begin between two of its frames.
  const delay = delayArgs(seeksOf(encode.plan, encode.sources));
  if (delay.length > 0) command.inputOptions(...delay);
  command.outputOptions("-map", `${encode.sources.length}:v:0`);
  command.outputOptions("-c:v:0", "libx264", "-preset", "veryfast", "-tune", "stillimage");
  command.outputOptions("-pix_fmt", "yuv420p", "-filter:v:0", `scale=trunc(min(iw\\,640)/2)*2:-2${USUAL_RANGE}`);
  command.outputOptions("-t", String(durationSeconds));
}

function threadArgs({ threadCount }: Encode): readonly string[] {
  return threadCount === undefined ? [] : ["-threads", String(threadCount)];
}

/** Pixels whose width and height differ by less than this share count as square; 853 by 480 lines are 0.12 % off. */
const SQUARE_TOLERANCE = 0.005;

/** A picture that was to be joined is encoded where its pieces turned out not to fit together. */
type EncodedVideo = Extract<VideoTrackPlan, { readonly method: "encode" | "join" }>;

/**
 * A picture whose sides differ more gets fewer lines than planned, so that the work does not depend on the stated shape of
 * its pixels. The widest screens are 32:9.
 */
const MAX_SIDE_RATIO = 4;

/** Of a scaler: the range of ordinary videos. Unlike ffmpeg 5, ffmpeg 7.1 would keep that of pictures and some cameras. */
const USUAL_RANGE = ":out_range=tv";

/** Only where it is another, because a scaler that is told the range has work with every frame. */
function rangeOption({ pixelFormat, colour }: VideoStream): string {
  return pixelFormat.startsWith("yuvj") || colour?.["color_range"] === "pc" ? USUAL_RANGE : "";
}

/** In pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** @returns the size of the first frames of a stream, as they are stored, with so many lines and even sides */
export function frameSizeOf(stream: VideoStream, lines: number): FrameSize {
  const even = (side: number): number => 2 * Math.max(1, Math.round((side * lines) / shorterSide(stream) / 2));
  return { width: even(stream.widthPixels), height: even(stream.heightLines) };
}

/** @returns a filter that gives all frames one size, with bars where they have another shape */
function intoFrame(stream: VideoStream, { width, height }: FrameSize): string {
  const range = rangeOption(stream);
  return `scale=${width}:${height}:force_original_aspect_ratio=decrease${range},pad=${width}:${height}:-1:-1,setsar=1`;
}

/** @returns filters that make a picture one for ordinary screens, in frames of this size */
export function framedFilters(stream: VideoStream, size: FrameSize): readonly string[] {
  return [...deinterlaceFilters(stream), intoFrame(stream, size), ...colourFilters(stream)];
}

/** @returns a filter that scales the shorter side to the planned lines or less, with square pixels and even sides */
function scaleFilter({ heightLines, stream }: EncodedVideo): string {
  // `dar` is the shape in which the video is shown, `a` the shape of its frame in pixels. They differ where pixels are
  // not square. A tiny difference comes from a width that was rounded to an even number: correcting it would not be
  // visible, and scaling takes a twelfth of the time.
  const stored = `if(lt(abs(sar-1)\\,${SQUARE_TOLERANCE})\\,a\\,dar)`;
  if (stream.changesSize) return intoFrame(stream, frameSizeOf(stream, heightLines));
  const shape = stream.shownRatio?.toFixed(6) ?? stored;
  // Of a wide picture the height is the shorter side, of a tall one the width. No tall one becomes taller than it is.
  const wide = `${heightLines}*min(1\\,${MAX_SIDE_RATIO}/${shape})`;
  const tall = `min(ih\\,${heightLines}*min(${MAX_SIDE_RATIO}\\,1/${shape}))`;
  const lines = `if(gte(${shape}\\,1)\\,${wide}\\,${tall})`;
  const even = (side: string): string => `2*max(1\\,trunc(${side}/2+0.5))`;
  return `scale=w=${even(`${lines}*${shape}`)}:h=${even(lines)}${rangeOption(stream)},setsar=1`;
}

/** Frames from before a part go on in it. */
const REPEAT_FRAMES = "fps=30";

/** Whether a part is encoded that may begin with a frame from before, or have no other. */
function showsEarlierFrame(plan: Encode["plan"], source: number): boolean {
  if (plan.format !== "mp4" || !plan.part || plan.video.method === "still") return false;
  return plan.video.method !== "copy" && plan.video.source === source && plan.video.stream.hasPauses === true;
}

function addEncodedVideo(
  command: FfmpegCommand,
  encode: Encode,
  video: EncodedVideo,
  cuts: CutFilters | undefined,
): void {
  command.outputOptions("-map", `${video.source}:${video.stream.index}`);
  command.outputOptions("-c:v:0", "libx264", "-preset", "veryfast", "-crf", "23", "-profile:v:0", "high");
  command.outputOptions("-pix_fmt", "yuv420p", ...threadArgs(encode));
  const filters = [
    ...deinterlaceFilters(video.stream),
    ...(showsEarlierFrame(encode.plan, video.source) ? [REPEAT_FRAMES] : []),
    ...(cuts ? [cuts.picture] : []),
    scaleFilter(video),
    ...colourFilters(video.stream),
  ];
  command.outputOptions("-filter:v:0", filters.join(","), "-fpsmax:v:0", String(MAX_FRAMES_PER_SECOND));
  const maxKbps = Math.min(video.maxBitrateKbps ?? Infinity, maxVideoKbps(video.heightLines));
  command.outputOptions("-maxrate", `${maxKbps}k`, "-bufsize", `${2 * maxKbps}k`);
}

function addVideo(
  command: FfmpegCommand,
  encode: Encode,
  { video, durationSeconds }: Mp4Plan,
  cuts: CutFilters | undefined,
): void {
  if (video.method === "still") return addStillVideo(command, encode, durationSeconds);
  if (video.method !== "copy") return addEncodedVideo(command, encode, video, cuts);
  command.outputOptions("-map", `${video.source}:${video.stream.index}`, "-c:v:0", "copy");
  // Players refuse a stream by the level that it states. Some state the highest level without need.
  if ((video.stream.level ?? 0) > MAX_H264_LEVEL) command.outputOptions("-bsf:v:0", "h264_metadata=level=auto");
}

function addAudio(command: FfmpegCommand, audio: NonNullable<Mp4Plan["audio"]>, cuts: CutFilters | undefined): void {
  command.outputOptions("-map", `${audio.source}:${audio.stream.index}`);
  if (audio.method === "copy") command.outputOptions("-c:a", "copy");
  else {
    command.outputOptions("-c:a", "aac", "-b:a", `${audio.bitrateKbps}k`);
    command.outputOptions(...channelArgs(audio.stream, audio.channelCount, cuts));
  }
}

/** With the delay the beginning states by how much sound and picture are shifted. Fragments are held in memory. */
const FRAGMENTS = "-movflags +frag_keyframe+delay_moov+default_base_moof -frag_duration 2000000".split(" ");

function writeMp4(command: FfmpegCommand, encode: Encode, plan: Mp4Plan, cuts: CutFilters | undefined): void {
  command.outputOptions(...tagArgs(encode.tags));
  addVideo(command, encode, plan, cuts);
  // A still picture ends with the planned length: without a bound it would have no end.
  if (plan.video.method !== "still" && !plan.part)
    command.outputOptions("-t", String(maxSecondsFor(plan.durationSeconds)));
  if (plan.audio) addAudio(command, plan.audio, cuts);
  if (encode.isFragmented === true) {
    command.outputOptions(...FRAGMENTS);
    // Of a transport stream. In fragments ffmpeg does not do it by itself; other AAC passes unchanged.
    if (plan.audio?.method === "copy" && plan.audio.stream.codec === "aac")
      command.outputOptions("-bsf:a", "aac_adtstoasc");
  } else if (encode.reservedIndexBytes === undefined) command.outputOptions("-movflags", "+faststart");
  else {
    command.outputOptions("-moov_size", String(encode.reservedIndexBytes));
    command.outputOptions("-chunk_duration", String(CHUNK_SECONDS * 1_000_000));
  }
  command.format("mp4");
}

/** A pipe that replaces the file of a source. */
export interface PipedInput {
  /** As ffmpeg names the pipe. */
  readonly name: string;
  readonly feed: Feed;
}

/**
 * Packets queued between the reader of a pipe and the writer, where there are other inputs. With fewer packets ffmpeg 5.1 sleeps for 10 ms
 * whenever one queue is empty: joining 276 MB took 28 s instead of 0.6 s. A packet of 1080p has about 20 kB.
 */
const PIPED_QUEUE_PACKETS = 512;

/** @returns how the part is found in the sources; undefined for the whole video */
export function seeksOf(plan: Encode["plan"], sources: readonly MediaFile[]): Seeks | undefined {
  if (!plan.part) return undefined;
  const copied = plan.format === "mp4" && plan.video.method === "copy" ? plan.video : undefined;
  if (!copied) return planSeeks(plan.part, sources);
  const keyFrameSeconds = copied.stream.partKeyFrameSeconds;
  return keyFrameSeconds === undefined
    ? planSeeksToPacket(plan.part, sources)
    : planSeeksToKeyFrame(plan.part, sources, copied.source, keyFrameSeconds);
}

/** @returns the number of the input with the chapters, which comes after all others; undefined when there is none */
function addChapters(
  command: FfmpegCommand,
  { plan, sources, chapterPath, subtitleTrack }: Encode,
  seeks?: Seeks,
): number | undefined {
  if (chapterPath === undefined) return undefined;
  command.input(`file:${chapterPath}`).inputOptions(...CHAPTER_INPUT, ...delayArgs(seeks));
  return inputsOfMedia({ plan, sources }) + (subtitleTrack ? 1 : 0);
}

function inputsBeforeCover({ chapterPath, subtitleTrack, ...encode }: Encode): number {
  return inputsOfMedia(encode) + (subtitleTrack ? 1 : 0) + (chapterPath === undefined ? 0 : 1);
}

/** @returns how many inputs have sound or a picture of the video */
function inputsOfMedia({ plan, sources }: Pick<Encode, "plan" | "sources">): number {
  const hasStill = plan.format === "mp4" && plan.video.method === "still";
  return sources.length + (hasStill ? 1 : 0);
}

/** What is cut off at the beginning would take as much of chapters and subtitles with it. */
function delayArgs(seeks: Seeks | undefined): readonly string[] {
  return seeks && seeks.leadSeconds > 0 ? ["-itsoffset", seeks.leadSeconds.toFixed(6)] : [];
}

/** Subtitles are the first input after those of the media. */
function addSubtitles(command: FfmpegCommand, encode: Encode, seeks?: Seeks): void {
  const { subtitleTrack } = encode;
  if (!subtitleTrack) return;
  command.input(`file:${subtitleTrack.path}`).inputOptions(...SUBTITLE_INPUT, ...delayArgs(seeks));
  command.outputOptions(...subtitleArgs(subtitleTrack, inputsOfMedia(encode)));
}

/**
 * The cover is the last input and the last picture, so that no player takes it for the video. It is delayed by what is cut
 * off at the beginning, because the cut would remove it too.
 */
function addCover(command: FfmpegCommand, { cover }: Encode, input: number, seeks?: Seeks): void {
  if (!cover) return;
  const delay = seeks && seeks.leadSeconds > 0 ? ["-itsoffset", String(Math.ceil(seeks.leadSeconds))] : [];
  command.input(`file:${cover.path}`).inputOptions("-f", "jpeg_pipe", ...delay);
  command.outputOptions("-map", `${input}:v:0`, "-c:v:1", "copy", "-disposition:v:1", "attached_pic");
}

/**
 * Builds the command line that carries out the plan, without the program's name.
 * @param maxPixels limit of the pixels of a frame
 * @param inputs pipes that replace the sources' files
 */
export function encodeArgs(encode: Encode, maxPixels: number, inputs: readonly PipedInput[] = []): string[] {
  const command = ffmpeg();
  const seeks = seeksOf(encode.plan, encode.sources);
  const hasSeveral = inputs.length > 0 && inputsBeforeCover(encode) + (encode.cover ? 1 : 0) > 1;
  const queueArgs = hasSeveral ? ["-thread_queue_size", String(PIPED_QUEUE_PACKETS)] : [];
  for (const [position, { path }] of encode.sources.entries()) {
    const input = command.input(inputs[position]?.name ?? `file:${path}`);
    const seek = seeks?.inputs[position];
    // Else ffmpeg leaves out what is before the place that it looks for.
    const earlier = showsEarlierFrame(encode.plan, position) ? ["-noaccurate_seek"] : [];
    const from = seek ? [...earlier, ...seekArgs(seek)] : [];
    input.inputOptions(...INPUT_GUARD, "-max_pixels", String(maxPixels), ...threadArgs(encode), ...queueArgs, ...from);
  }
  const cuts = cutFilters(encode.plan, seeks);
  if (encode.plan.format === "mp3") writeMp3(command, encode, encode.plan, cuts, seeks);
  else writeMp4(command, encode, encode.plan, cuts);
  addSubtitles(command, encode, seeks);
  // Tags, chapters, data and subtitles of the source are dropped.
  const chapterInput = addChapters(command, encode, seeks);
  command.outputOptions(...chapterMap(chapterInput), "-dn");
  addCover(command, encode, inputsBeforeCover(encode), seeks);
  if (!encode.subtitleTrack) command.outputOptions("-sn");
  if (seeks) command.outputOptions(...cutArgs(seeks, encode.plan.durationSeconds));
  command.outputOptions("-max_muxing_queue_size", "4096", "-fs", String(encode.maxFileBytes + SIZE_MARGIN_BYTES));
  // oxlint-disable-next-line no-underscore-dangle -- the library has no other way to return the command line
  return command.output(encode.outputPath)._getArguments();
}

/**
 * Writes `outputPath`. An MP4 is written in one pass if the size of its index can be estimated.
 * @param onFraction called with how much is encoded, 0 to 1
 * @param inputs pipes that replace the sources' files
 * @throws what {@link runFfmpeg} throws
 */
export async function runEncode(
  work: Work,
  encode: Encode,
  onFraction: (fraction: number) => void,
  inputs: readonly PipedInput[] = [],
): Promise<void> {
  const { pipeline } = work;
  const { plan, sources, tags, subtitles, cover, maxFileBytes, outputPath } = encode;
  const { cores } = pipeline;
  const chapters = chaptersOfResult(tags.chapters, plan);
  const chapterPath = await writeChapters(outputPath, chapters);
  const subtitleTrack = await writeSubtitleTrack(work, outputPath, subtitles, plan);
  // ffmpeg chooses the number of threads itself, unless other conversions share the cores.
  const threadCount = cores?.isShared ? cores.coresEach : undefined;
  const shared: Encode = { ...encode, chapterPath, subtitleTrack, threadCount: threadCount ?? encode.threadCount };
  const feeds = inputs.map(({ feed }) => feed);
  const write = async (settings: Encode, onWritten = (): void => undefined): Promise<void> => {
    const args = encodeArgs(settings, pipeline.limits.maxPixels, inputs);
    const onSeconds = (seconds: number): void => {
      onWritten();
      onFraction(Math.min(1, seconds / plan.durationSeconds));
    };
    await runFfmpeg(work, args, outputPath, onSeconds, feeds);
  };
  const estimatedBytes =
    plan.format === "mp4" && !plan.part ? estimateIndexBytes(plan, sources, chapters, subtitleTrack) : undefined;
  // The cover is in the index.
  const reservedIndexBytes = estimatedBytes === undefined ? undefined : estimatedBytes + (cover?.sizeBytes ?? 0);
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (reservedIndexBytes === undefined || sourceBytes + reservedIndexBytes > maxFileBytes) return write(shared);
  // A second pass would write all bytes again, so flushing early pays only with a single pass.
  await using flush = new BackgroundFlush(outputPath);
  await write({ ...shared, reservedIndexBytes }, () => flush.start());
  await flush.finish();
  // ffmpeg does not fail when the index is larger than the reserved bytes.
  if (await isWholeWithIndexInFront(outputPath)) return;
  if (inputs.length > 0)
    throw new ConversionError("internal", { detail: `the index did not fit into ${reservedIndexBytes} bytes` });
  await write(shared);
}
