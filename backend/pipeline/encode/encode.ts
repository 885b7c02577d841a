/**
 * Builds the encode commands. The only module that knows fluent-ffmpeg, which is used to write the
 * command line; running it is left to the bounded runner of all tools, so that cancellation and memory
 * limits hold for it too.
 */
import ffmpeg, { type FfmpegCommand } from "fluent-ffmpeg";
import { ConversionError } from "../../../common/errors.ts";
import { EarlyFlush } from "./early-flush.ts";
import type { EncodePlan, Mp3Plan, Mp4Plan } from "../plan/encode-plan.ts";
import { runFfmpeg, type Feed } from "../process/ffmpeg.ts";
import { INPUT_GUARD, type AudioStream, type MediaFile } from "../probe/media-file.ts";
import { roomForIndex, STRETCH_SECONDS } from "./index-room.ts";
import { isWholeWithIndexInFront } from "../mp4/layout.ts";
import type { Pipeline } from "../pipeline.ts";

export interface Encode {
  readonly plan: EncodePlan;
  readonly sources: readonly MediaFile[];
  readonly tags: { readonly title: string; readonly artist?: string };
  readonly coverPath: string | undefined;
  readonly outputPath: string;
  /** Limit of what is written; verification detects a result that reaches it. */
  readonly maxFileBytes: number;
  /**
   * Space left free for an MP4's index in front of the media; when absent, the media is moved back for it at the end.
   */
  readonly indexRoomBytes?: number;
  /** Threads of the picture's decoder and encoder, each; ffmpeg's default when absent. */
  readonly threadCount?: number;
}

/** Frame rate of a still picture: enough for players to seek. */
const STILL_FRAMES_PER_SECOND = 5;
const MAX_FRAMES_PER_SECOND = 60;
/** Above the limit, so that a file of exactly the limit is whole and one above it is seen to be. */
const SIZE_MARGIN_BYTES = 1_000_000;

/**
 * A stream that may have more is of a level that old phones refuse, even if it never has: these are of level 3.1 up to
 * 480 lines and 4.2 above (H.264, table A-1), whose buffers are twice as large as a second of ours.
 */
export function mostKbpsOf(heightLines: number): number {
  return heightLines <= 480 ? 7_000 : 25_000;
}

/** 4.2: up to 1080 lines at 60 frames a second. */
export const HIGHEST_LEVEL = 42;

/**
 * Left, right and centre of surround sound together can be louder than a file can hold. Peaks are held below full
 * scale, with what a lossy encoder adds to them; what is below that stays as loud as it is.
 */
const NO_CLIPPING = "alimiter=limit=0.89:level=false:latency=true";

/** Arguments for sound that is encoded; surround sound is mixed down by ITU-R BS.775. */
export function channelArgs(stream: AudioStream, channelCount: 1 | 2): readonly string[] {
  return stream.channelCount > 2
    ? ["-af", `aformat=sample_fmts=fltp:channel_layouts=stereo,${NO_CLIPPING}`]
    : ["-ac", String(channelCount)];
}

/** To what ordinary screens show: in linear light, with highlights bent rather than cut; 100 nits are white. */
const HDR_TO_SDR =
  "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p";

/** Without the tags, chapters and data tracks of whoever made the source. */
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
  command.outputOptions(
    "-c:a",
    "libmp3lame",
    "-b:a",
    `${plan.bitrateKbps}k`,
    ...channelArgs(plan.audio.stream, plan.channelCount),
  );
  command.outputOptions("-ar", String(plan.sampleRateHz), "-id3v2_version", "3", "-write_id3v1", "0");
  command.format("mp3");
}

function writeStill(command: FfmpegCommand, encode: Encode, plan: Mp4Plan): void {
  const rate = String(STILL_FRAMES_PER_SECOND);
  if (encode.coverPath === undefined) command.input(`color=black:size=640x360:rate=${rate}`).inputFormat("lavfi");
  else command.input(encode.coverPath).inputFormat("image2").inputOptions("-loop", "1", "-framerate", rate);
  command.outputOptions(
    "-map",
    `${encode.sources.length}:v:0`,
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-tune",
    "stillimage",
  );
  command.outputOptions(
    "-pix_fmt",
    "yuv420p",
    "-vf",
    "scale=trunc(min(iw\\,640)/2)*2:-2",
    "-t",
    String(plan.durationSeconds),
  );
}

function threadArgs({ threadCount }: Encode): readonly string[] {
  return threadCount === undefined ? [] : ["-threads", String(threadCount)];
}

/** By how much pixels may be wider than high, or less; 853 lines by 480 are 0.12 % off. */
const NEARLY_SQUARE = 0.005;

function writeMp4(command: FfmpegCommand, encode: Encode, plan: Mp4Plan): void {
  const { video, audio } = plan;
  if (video.method === "still") writeStill(command, encode, plan);
  else command.outputOptions("-map", `${video.source}:${video.stream.index}`);
  if (video.method === "copy") {
    command.outputOptions("-c:v", "copy");
    // Players go by what a stream says it needs; some say the most there is.
    if ((video.stream.level ?? 0) > HIGHEST_LEVEL) command.outputOptions("-bsf:v", "h264_metadata=level=auto");
  }
  if (video.method === "encode") {
    command.outputOptions(
      "-c:v",
      "libx264",
      "-preset",
      "veryfast",
      "-crf",
      "23",
      "-profile:v",
      "high",
      "-pix_fmt",
      "yuv420p",
      ...threadArgs(encode),
    );
    // By the shape it is shown in, which is not that of its pixels where those are not square. Ones that are a little
    // off come of widths that were made even: to put that right nobody would see, and scaling takes a twelfth of the
    // time.
    const shape = `if(lt(abs(sar-1)\\,${NEARLY_SQUARE})\\,a\\,dar)`;
    const scale = `scale=w=2*trunc(${video.heightLines}*${shape}/2+0.5):h=${video.heightLines},setsar=1`;
    command.outputOptions(
      "-vf",
      video.stream.isHdr ? `${scale},${HDR_TO_SDR}` : scale,
      "-fpsmax",
      String(MAX_FRAMES_PER_SECOND),
    );
    const mostKbps = Math.min(video.maxBitrateKbps ?? Infinity, mostKbpsOf(video.heightLines));
    command.outputOptions("-maxrate", `${mostKbps}k`, "-bufsize", `${2 * mostKbps}k`);
  }
  if (audio) {
    command.outputOptions("-map", `${audio.source}:${audio.stream.index}`);
    if (audio.method === "copy") command.outputOptions("-c:a", "copy");
    else
      command.outputOptions(
        "-c:a",
        "aac",
        "-b:a",
        `${audio.bitrateKbps}k`,
        ...channelArgs(audio.stream, audio.channelCount),
      );
  }
  if (encode.indexRoomBytes === undefined) command.outputOptions("-movflags", "+faststart");
  else
    command.outputOptions(
      "-moov_size",
      String(encode.indexRoomBytes),
      "-chunk_duration",
      String(STRETCH_SECONDS * 1_000_000),
    );
  command.format("mp4");
}

/** Read in place of the sources' files: a pipe for each. */
export interface PipedInput {
  readonly name: string;
  readonly feed: Feed;
}

/**
 * With fewer packets between the readers of two pipes and the writer, ffmpeg 5.1 sleeps for 10 ms whenever one of them
 * has nothing: joining 276 MB took 28 s instead of 0.6. Packets of 1080p have about 20 kB.
 */
const PIPED_QUEUE_PACKETS = 512;

/** The command line that carries out the plan, without the program's name. */
export function encodeArgs(encode: Encode, maxPixels: number, inputs: readonly PipedInput[] = []): string[] {
  const command = ffmpeg();
  for (const [position, { path }] of encode.sources.entries())
    command
      .input(inputs[position]?.name ?? `file:${path}`)
      .inputOptions(
        ...INPUT_GUARD,
        "-max_pixels",
        String(maxPixels),
        ...threadArgs(encode),
        ...(inputs.length > 1 ? ["-thread_queue_size", String(PIPED_QUEUE_PACKETS)] : []),
      );
  addTags(command, encode);
  if (encode.plan.format === "mp3") writeMp3(command, encode, encode.plan);
  else writeMp4(command, encode, encode.plan);
  command.outputOptions("-max_muxing_queue_size", "4096", "-fs", String(encode.maxFileBytes + SIZE_MARGIN_BYTES));
  // oxlint-disable-next-line no-underscore-dangle -- the library's own way to hand out the command line
  return command.output(encode.outputPath)._getArguments();
}

/**
 * Writes `outputPath`, in one pass where the size of the index is known in advance.
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
  // A conversion that runs alone leaves the number of threads to ffmpeg; beside others it keeps to its share of cores.
  const shared: Encode = cores?.isShared ? { ...encode, threadCount: cores.coresEach } : encode;
  const write = (how: Encode, onWritten = (): void => undefined): Promise<void> =>
    runFfmpeg(
      pipeline,
      encodeArgs(how, pipeline.limits.maxPixels, inputs),
      outputPath,
      signal,
      (seconds) => {
        onWritten();
        onFraction(Math.min(1, seconds / plan.durationSeconds));
      },
      inputs.map(({ feed }) => feed),
    );
  const indexRoomBytes = plan.format === "mp4" ? roomForIndex(plan, sources) : undefined;
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (indexRoomBytes === undefined || sourceBytes + indexRoomBytes > maxFileBytes) return write(shared);
  // A file that is written in one pass can be flushed to the disk early.
  await using early = new EarlyFlush(outputPath);
  await write({ ...shared, indexRoomBytes }, () => early.more());
  await early.finish();
  // ffmpeg does not fail when the index does not fit.
  if (await isWholeWithIndexInFront(outputPath)) return;
  if (inputs.length > 0)
    throw new ConversionError("internal", { detail: `the index did not fit into ${indexRoomBytes} bytes` });
  await write(shared);
}
