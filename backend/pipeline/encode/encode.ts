/**
 * Builds the encode commands with fluent-ffmpeg, and runs them. fluent-ffmpeg only writes the command line. The tool
 * itself runs under the same runner as all tools, so that cancellation and memory limits hold for it too.
 */
import ffmpeg, { type FfmpegCommand } from "fluent-ffmpeg";
import { ConversionError } from "../../../common/errors.ts";
import { EarlyFlush } from "./early-flush.ts";
import type { EncodePlan, Mp3Plan, Mp4Plan, VideoTrackPlan } from "../plan/encode-plan.ts";
import { runFfmpeg, type Feed } from "../process/ffmpeg.ts";
import { INPUT_GUARD, type AudioStream, type MediaFile } from "../probe/media-file.ts";
import { CHUNK_SECONDS, estimateIndexBytes } from "./index-size.ts";
import { isWholeWithIndexInFront } from "../mp4/layout.ts";
import type { Pipeline } from "../pipeline.ts";

export interface Encode {
  readonly plan: EncodePlan;
  readonly sources: readonly MediaFile[];
  readonly tags: { readonly title: string; readonly artist?: string };
  readonly coverPath: string | undefined;
  readonly outputPath: string;
  /** ffmpeg stops writing at this size; verification detects a result that reaches it. */
  readonly maxFileBytes: number;
  /**
   * Bytes reserved for an MP4's index in front of the media. When absent, ffmpeg makes room in a second pass by moving
   * the media back.
   */
  readonly reservedIndexBytes?: number;
  /** Threads of the video decoder and of the video encoder, each; ffmpeg's default when absent. */
  readonly threadCount?: number;
}

/** Frame rate of a still picture: enough for players to seek. */
const STILL_FRAMES_PER_SECOND = 5;
const MAX_FRAMES_PER_SECOND = 60;
/** ffmpeg may write this much more than allowed, so that verification recognises a file cut off at the limit. */
const SIZE_MARGIN_BYTES = 1_000_000;

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

/** @returns arguments for sound that is encoded; surround sound is mixed down by ITU-R BS.775 */
export function channelArgs(stream: AudioStream, channelCount: 1 | 2): readonly string[] {
  return stream.channelCount > 2
    ? ["-af", `aformat=sample_fmts=fltp:channel_layouts=stereo,${LIMITER}`]
    : ["-ac", String(channelCount)];
}

/** Maps HDR to the range of ordinary screens. White is 100 nits; highlights are compressed instead of cut off. */
const HDR_TO_SDR =
  "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv," +
  "format=yuv420p";

/** Writes our own tags, and drops tags, chapters, data and subtitles of the source. */
function addTags(command: FfmpegCommand, { tags }: Encode): void {
  command.outputOptions("-map_metadata", "-1", "-map_chapters", "-1", "-dn", "-sn");
  command.outputOptions("-metadata", `title=${tags.title}`);
  if (tags.artist !== undefined) command.outputOptions("-metadata", `artist=${tags.artist}`);
}

function addCoverToMp3(command: FfmpegCommand, inputIndex: number): void {
  command.outputOptions("-map", `${inputIndex}:v:0`, "-c:v", "copy", "-disposition:v:0", "attached_pic");
  command.outputOptions("-metadata:s:v", "title=Album cover", "-metadata:s:v", "comment=Cover (front)");
}

function writeMp3(command: FfmpegCommand, encode: Encode, plan: Mp3Plan): void {
  command.outputOptions("-map", `${plan.audio.source}:${plan.audio.stream.index}`);
  if (encode.coverPath !== undefined) {
    command.input(encode.coverPath).inputFormat("mjpeg");
    addCoverToMp3(command, encode.sources.length);
  }
  command.outputOptions("-c:a", "libmp3lame", "-b:a", `${plan.bitrateKbps}k`);
  command.outputOptions(...channelArgs(plan.audio.stream, plan.channelCount));
  command.outputOptions("-ar", String(plan.sampleRateHz), "-id3v2_version", "3", "-write_id3v1", "0");
  command.format("mp3");
}

/** Shows the cover, or black, for the length of the sound. */
function addStillVideo(command: FfmpegCommand, encode: Encode, durationSeconds: number): void {
  const rate = String(STILL_FRAMES_PER_SECOND);
  if (encode.coverPath === undefined) command.input(`color=black:size=640x360:rate=${rate}`).inputFormat("lavfi");
  else command.input(encode.coverPath).inputFormat("image2").inputOptions("-loop", "1", "-framerate", rate);
  command.outputOptions("-map", `${encode.sources.length}:v:0`);
  command.outputOptions("-c:v", "libx264", "-preset", "veryfast", "-tune", "stillimage");
  command.outputOptions("-pix_fmt", "yuv420p", "-vf", "scale=trunc(min(iw\\,640)/2)*2:-2");
  command.outputOptions("-t", String(durationSeconds));
}

function threadArgs({ threadCount }: Encode): readonly string[] {
  return threadCount === undefined ? [] : ["-threads", String(threadCount)];
}

/** Pixels whose width and height differ by less than this share count as square; 853 by 480 lines are 0.12 % off. */
const SQUARE_TOLERANCE = 0.005;

type EncodedVideo = Extract<VideoTrackPlan, { readonly method: "encode" }>;

/** @returns a filter that scales to the planned height, with square pixels and an even width */
function scaleFilter({ heightLines, stream }: EncodedVideo): string {
  // `dar` is the shape in which the video is shown, `a` the shape of its frame in pixels. They differ where pixels are
  // not square. A tiny difference comes from a width that was rounded to an even number: correcting it would not be
  // visible, and scaling takes a twelfth of the time.
  const shape = `if(lt(abs(sar-1)\\,${SQUARE_TOLERANCE})\\,a\\,dar)`;
  const scale = `scale=w=2*trunc(${heightLines}*${shape}/2+0.5):h=${heightLines},setsar=1`;
  return stream.isHdr ? `${scale},${HDR_TO_SDR}` : scale;
}

function addEncodedVideo(command: FfmpegCommand, encode: Encode, video: EncodedVideo): void {
  command.outputOptions("-map", `${video.source}:${video.stream.index}`);
  command.outputOptions("-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-profile:v", "high");
  command.outputOptions("-pix_fmt", "yuv420p", ...threadArgs(encode));
  command.outputOptions("-vf", scaleFilter(video), "-fpsmax", String(MAX_FRAMES_PER_SECOND));
  const maxKbps = Math.min(video.maxBitrateKbps ?? Infinity, maxVideoKbps(video.heightLines));
  command.outputOptions("-maxrate", `${maxKbps}k`, "-bufsize", `${2 * maxKbps}k`);
}

function addVideo(command: FfmpegCommand, encode: Encode, { video, durationSeconds }: Mp4Plan): void {
  if (video.method === "still") return addStillVideo(command, encode, durationSeconds);
  if (video.method === "encode") return addEncodedVideo(command, encode, video);
  command.outputOptions("-map", `${video.source}:${video.stream.index}`, "-c:v", "copy");
  // Players refuse a stream by the level that it states. Some state the highest level without need.
  if ((video.stream.level ?? 0) > MAX_H264_LEVEL) command.outputOptions("-bsf:v", "h264_metadata=level=auto");
}

function addAudio(command: FfmpegCommand, audio: NonNullable<Mp4Plan["audio"]>): void {
  command.outputOptions("-map", `${audio.source}:${audio.stream.index}`);
  if (audio.method === "copy") command.outputOptions("-c:a", "copy");
  else {
    command.outputOptions("-c:a", "aac", "-b:a", `${audio.bitrateKbps}k`);
    command.outputOptions(...channelArgs(audio.stream, audio.channelCount));
  }
}

function writeMp4(command: FfmpegCommand, encode: Encode, plan: Mp4Plan): void {
  addVideo(command, encode, plan);
  if (plan.audio) addAudio(command, plan.audio);
  if (encode.reservedIndexBytes === undefined) command.outputOptions("-movflags", "+faststart");
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
 * Packets queued between the readers of two pipes and the writer. With fewer packets ffmpeg 5.1 sleeps for 10 ms
 * whenever one queue is empty: joining 276 MB took 28 s instead of 0.6 s. A packet of 1080p has about 20 kB.
 */
const PIPED_QUEUE_PACKETS = 512;

/**
 * Builds the command line that carries out the plan, without the program's name.
 * @param maxPixels limit of the pixels of a frame
 * @param inputs pipes that replace the sources' files
 */
export function encodeArgs(encode: Encode, maxPixels: number, inputs: readonly PipedInput[] = []): string[] {
  const command = ffmpeg();
  const queueArgs = inputs.length > 1 ? ["-thread_queue_size", String(PIPED_QUEUE_PACKETS)] : [];
  for (const [position, { path }] of encode.sources.entries()) {
    const input = command.input(inputs[position]?.name ?? `file:${path}`);
    input.inputOptions(...INPUT_GUARD, "-max_pixels", String(maxPixels), ...threadArgs(encode), ...queueArgs);
  }
  addTags(command, encode);
  if (encode.plan.format === "mp3") writeMp3(command, encode, encode.plan);
  else writeMp4(command, encode, encode.plan);
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
  pipeline: Pipeline,
  encode: Encode,
  onFraction: (fraction: number) => void,
  signal: AbortSignal,
  inputs: readonly PipedInput[] = [],
): Promise<void> {
  const { plan, sources, maxFileBytes, outputPath } = encode;
  const { cores } = pipeline;
  // ffmpeg chooses the number of threads itself, unless other conversions share the cores.
  const shared: Encode = cores?.isShared ? { ...encode, threadCount: cores.coresEach } : encode;
  const feeds = inputs.map(({ feed }) => feed);
  const write = (settings: Encode, onWritten = (): void => undefined): Promise<void> => {
    const args = encodeArgs(settings, pipeline.limits.maxPixels, inputs);
    const onSeconds = (seconds: number): void => {
      onWritten();
      onFraction(Math.min(1, seconds / plan.durationSeconds));
    };
    return runFfmpeg(pipeline, args, outputPath, signal, onSeconds, feeds);
  };
  const reservedIndexBytes = plan.format === "mp4" ? estimateIndexBytes(plan, sources) : undefined;
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (reservedIndexBytes === undefined || sourceBytes + reservedIndexBytes > maxFileBytes) return write(shared);
  // A second pass would write all bytes again, so flushing early pays only with a single pass.
  await using early = new EarlyFlush(outputPath);
  await write({ ...shared, reservedIndexBytes }, () => early.start());
  await early.finish();
  // ffmpeg does not fail when the index is larger than the reserved bytes.
  if (await isWholeWithIndexInFront(outputPath)) return;
  if (inputs.length > 0)
    throw new ConversionError("internal", { detail: `the index did not fit into ${reservedIndexBytes} bytes` });
  await write(shared);
}
