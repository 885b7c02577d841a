/** Plans how long the stages of a conversion take on a machine with two cores, from sizes and lengths. Pure. */
import type { StageSeconds } from "../../../common/progress.ts";
import type { MediaFormat } from "../../../common/tiers.ts";
import { shorterSide } from "../probe/ffprobe-output.ts";
import type { EncodePlan } from "./encode-plan.ts";
import type { WorkKind } from "../progress/learned-paces.ts";

/** Speeds measured on two cores, per second of wall time. */
const PACE = {
  downloadBytesPerSecond: 8_000_000,
  mp3MediaSecondsPerSecond: 200,
  /** For FLAC; WAV takes less, but its bytes take time as well. */
  losslessMediaSecondsPerSecond: 400,
  remuxBytesPerSecond: 450_000_000,
  /** For 480 lines; other heights take time in proportion to their pixels. */
  encodeMediaSecondsPerSecond: 6,
  /** For a still picture; most of the time goes into the sound. */
  stillMediaSecondsPerSecond: 40,
  storeBytesPerSecond: 1_200_000_000,
} as const;

/** A tool needs this long to start. */
const START_SECONDS = 0.1;
/** To verify and store the result; other files than MP3 may need a tool to be verified. */
const STORE_SECONDS = { mp3: 0.03, mp4: 0.12, original: 0.12, flac: 0.12, wav: 0.12 } as const;
/** Of the result: MP3 at 320 kbps, PCM at 44.1 kHz with two channels of 16 bits. FLAC takes a part of that. */
const BYTES_PER_SECOND = { mp3: 40_000, flac: 176_400, wav: 176_400 } as const;

/** @returns expected wall time to encode a picture */
export function encodeSeconds(durationSeconds: number, heightLines: number): number {
  return START_SECONDS + (durationSeconds / PACE.encodeMediaSecondsPerSecond) * (heightLines / 480) ** 2;
}

/**
 * Plans the stages from what the site says. Without length and size, one minute of 10 MB is assumed.
 * @param encodeLines height in lines at which the picture is encoded; absent when it is only copied
 */
export function plannedSeconds(
  format: MediaFormat,
  durationSeconds = 60,
  bytes = 10_000_000,
  encodeLines?: number,
): StageSeconds {
  const convertSeconds = (): number => {
    if (format === "mp3") return START_SECONDS + durationSeconds / PACE.mp3MediaSecondsPerSecond;
    if (format === "flac" || format === "wav")
      return START_SECONDS + durationSeconds / PACE.losslessMediaSecondsPerSecond;
    if (encodeLines !== undefined) return encodeSeconds(durationSeconds, encodeLines);
    return START_SECONDS + bytes / PACE.remuxBytesPerSecond;
  };
  const isCopied = format === "mp4" || format === "original";
  const storedBytes = isCopied ? bytes : durationSeconds * BYTES_PER_SECOND[format];
  return {
    download: 0.2 + bytes / PACE.downloadBytesPerSecond,
    convert: convertSeconds(),
    store: STORE_SECONDS[format] + storedBytes / PACE.storeBytesPerSecond,
  };
}

/**
 * Plans the encode from what a probe found in the sources.
 * @param sourceBytes size of all sources together
 */
export function plannedWork(
  plan: EncodePlan,
  sourceBytes: number,
): { readonly work: WorkKind; readonly seconds: number } {
  const { durationSeconds } = plan;
  if (plan.format === "mp3") return { work: "mp3", seconds: plannedSeconds("mp3", durationSeconds).convert };
  if (plan.format === "original")
    return { work: "copy", seconds: plannedSeconds("original", durationSeconds, sourceBytes).convert };
  if (plan.format !== "mp4") return { work: "lossless", seconds: plannedSeconds(plan.format, durationSeconds).convert };
  const { video, audio } = plan;
  if (video.method === "encode") return { work: "encode", seconds: encodeSeconds(durationSeconds, video.heightLines) };
  if (video.method === "join") {
    const { join, stream } = video;
    const { head, tail } = join.span;
    const edgeUnits = [head, tail].reduce((sum, edge) => sum + (edge ? edge.to - edge.from : 0), 0);
    const edgeSeconds = encodeSeconds(edgeUnits / join.description.unitsPerSecond, shorterSide(stream));
    const soundSeconds = durationSeconds / PACE.stillMediaSecondsPerSecond;
    return { work: "encode", seconds: edgeSeconds + soundSeconds };
  }
  if (video.method === "still")
    return { work: "encode", seconds: START_SECONDS + durationSeconds / PACE.stillMediaSecondsPerSecond };
  // Where the picture is copied, encoding the sound takes longest.
  const soundSeconds = audio?.method === "encode" ? durationSeconds / PACE.stillMediaSecondsPerSecond : 0;
  return { work: "copy", seconds: Math.max(soundSeconds, plannedSeconds("mp4", durationSeconds, sourceBytes).convert) };
}
