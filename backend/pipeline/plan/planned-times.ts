/** How long the stages of a conversion take on a machine of two cores, told from sizes and lengths. Pure. */
import type { StageSeconds } from "../../../common/progress.ts";
import type { Format } from "../../../common/tiers.ts";
import type { EncodePlan } from "./encode-plan.ts";
import type { Work } from "../progress/learned-paces.ts";

/** Wall time of the phases, measured on two cores: seconds of media a second, and bytes a second. */
const PACE = {
  downloadBytesPerSecond: 8_000_000,
  mp3MediaSecondsPerSecond: 200,
  remuxBytesPerSecond: 450_000_000,
  /** Of 480 lines; other heights in proportion to their pixels. */
  encodeMediaSecondsPerSecond: 6,
  /** Of a picture that stands still; sound is most of it. */
  stillMediaSecondsPerSecond: 40,
  storeBytesPerSecond: 1_200_000_000,
} as const;

/** For a tool to start, before it does anything. */
const START_SECONDS = 0.1;
/** To look at the result, to put it where it stays and to say so; only an MP4 takes a tool to look at. */
const STORE_SECONDS = { mp3: 0.03, mp4: 0.12 } as const;
/** At the higher of the bit rates. */
const MP3_BYTES_PER_SECOND = 40_000;

function encodeSeconds(durationSeconds: number, heightLines: number): number {
  return START_SECONDS + (durationSeconds / PACE.encodeMediaSecondsPerSecond) * (heightLines / 480) ** 2;
}

/** From what the site says; a minute's worth is assumed where it says nothing. `encodeLines`: the picture is encoded anew at so many. */
export function plannedSeconds(format: Format, durationSeconds = 60, bytes = 10_000_000, encodeLines?: number): StageSeconds {
  const storedBytes = format === "mp3" ? durationSeconds * MP3_BYTES_PER_SECOND : bytes;
  return {
    download: 0.2 + bytes / PACE.downloadBytesPerSecond,
    convert:
      format === "mp3"
        ? START_SECONDS + durationSeconds / PACE.mp3MediaSecondsPerSecond
        : encodeLines === undefined
          ? START_SECONDS + bytes / PACE.remuxBytesPerSecond
          : encodeSeconds(durationSeconds, encodeLines),
    store: STORE_SECONDS[format] + storedBytes / PACE.storeBytesPerSecond,
  };
}

/** From what the source really is. `sourceBytes`: of all that is read. */
export function plannedWork(plan: EncodePlan, sourceBytes: number): { readonly work: Work; readonly seconds: number } {
  const { durationSeconds } = plan;
  if (plan.format === "mp3") return { work: "mp3", seconds: plannedSeconds("mp3", durationSeconds).convert };
  const { video, audio } = plan;
  if (video.method === "encode") return { work: "encode", seconds: encodeSeconds(durationSeconds, video.heightLines) };
  if (video.method === "still") return { work: "encode", seconds: START_SECONDS + durationSeconds / PACE.stillMediaSecondsPerSecond };
  // Sound that is encoded beside a copied picture sets the pace.
  const soundSeconds = audio?.method === "encode" ? durationSeconds / PACE.stillMediaSecondsPerSecond : 0;
  return { work: "copy", seconds: Math.max(soundSeconds, plannedSeconds("mp4", durationSeconds, sourceBytes).convert) };
}
