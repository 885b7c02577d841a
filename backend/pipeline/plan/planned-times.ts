/** Plans how long the stages of a conversion take on a machine with two cores, from sizes and lengths. Pure. */
import type { StageSeconds } from "../../../common/progress.ts";
import type { Format } from "../../../common/tiers.ts";
import type { EncodePlan } from "./encode-plan.ts";
import type { Work } from "../progress/learned-paces.ts";

/** Speeds measured on two cores, per second of wall time. */
const PACE = {
  downloadBytesPerSecond: 8_000_000,
  mp3MediaSecondsPerSecond: 200,
  remuxBytesPerSecond: 450_000_000,
  /** For 480 lines; other heights take time in proportion to their pixels. */
  encodeMediaSecondsPerSecond: 6,
  /** For a still picture; most of the time goes into the sound. */
  stillMediaSecondsPerSecond: 40,
  storeBytesPerSecond: 1_200_000_000,
} as const;

/** A tool needs this long to start. */
const START_SECONDS = 0.1;
/** To verify and store the result; an MP4 may need a tool to be verified. */
const STORE_SECONDS = { mp3: 0.03, mp4: 0.12 } as const;
/** At 320 kbps. */
const MP3_BYTES_PER_SECOND = 40_000;

function encodeSeconds(durationSeconds: number, heightLines: number): number {
  return START_SECONDS + (durationSeconds / PACE.encodeMediaSecondsPerSecond) * (heightLines / 480) ** 2;
}

/**
 * Plans the stages from what the site says. Without length and size, one minute of 10 MB is assumed.
 * @param encodeLines height in lines at which the picture is encoded; absent when it is only copied
 */
export function plannedSeconds(
  format: Format,
  durationSeconds = 60,
  bytes = 10_000_000,
  encodeLines?: number,
): StageSeconds {
  const convertSeconds = (): number => {
    if (format === "mp3") return START_SECONDS + durationSeconds / PACE.mp3MediaSecondsPerSecond;
    if (encodeLines !== undefined) return encodeSeconds(durationSeconds, encodeLines);
    return START_SECONDS + bytes / PACE.remuxBytesPerSecond;
  };
  const storedBytes = format === "mp3" ? durationSeconds * MP3_BYTES_PER_SECOND : bytes;
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
export function plannedWork(plan: EncodePlan, sourceBytes: number): { readonly work: Work; readonly seconds: number } {
  const { durationSeconds } = plan;
  if (plan.format === "mp3") return { work: "mp3", seconds: plannedSeconds("mp3", durationSeconds).convert };
  const { video, audio } = plan;
  if (video.method === "encode") return { work: "encode", seconds: encodeSeconds(durationSeconds, video.heightLines) };
  if (video.method === "still")
    return { work: "encode", seconds: START_SECONDS + durationSeconds / PACE.stillMediaSecondsPerSecond };
  // Where the picture is copied, encoding the sound takes longest.
  const soundSeconds = audio?.method === "encode" ? durationSeconds / PACE.stillMediaSecondsPerSecond : 0;
  return { work: "copy", seconds: Math.max(soundSeconds, plannedSeconds("mp4", durationSeconds, sourceBytes).convert) };
}
