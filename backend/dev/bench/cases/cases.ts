/** The cases: link, plan and format of each, the command lines of its rivals, and its goal. */
import type { Format, Tier } from "../../../../common/tiers.ts";
import { maxVideoKbps } from "../../../pipeline/encode/encode.ts";
import type { WireName } from "./wires.ts";

export interface Target {
  /**
   * Our time is divided by this one; `download` is the time that the chosen rendition takes on the wire. `clock`: not
   * divided, in milliseconds. `own CPU`: the CPU time of the server's process, in seconds; `all CPU`: that of all
   * processes.
   */
  readonly against: "yt-dlp" | "ffmpeg" | "download" | "limit" | "clock" | "own CPU" | "all CPU";
  readonly atMost: number;
}

export interface ConvertCase {
  readonly kind: "convert";
  readonly name: string;
  readonly about: string;
  readonly page: string;
  readonly wire: WireName;
  readonly tier: Tier;
  readonly format: Format;
  /** Without the link. */
  readonly ytDlpArgs: readonly string[];
  /** `media` returns the address of a file of the page's clip. */
  readonly ffmpegArgs: (media: (file: string) => string) => readonly string[];
  /** The same work on local files, whose paths `file` returns: its CPU time divided by the cores is the lower limit. */
  readonly floorArgs: (file: (name: string) => string) => readonly string[];
  readonly folder: string;
  readonly targets?: readonly Target[];
  readonly isQuick: boolean;
  /** Leaves out ffmpeg where it would take minutes and the goal does not need it. */
  readonly isFfmpegLeftOut?: boolean;
}

export interface SpecialCase {
  readonly kind: "batch" | "repeat" | "mixed" | "memory" | "youtube" | "songs";
  readonly name: string;
  readonly about: string;
  readonly isQuick: boolean;
  /** Conversions of a round; one by default. */
  readonly count?: number;
  /** Limit of the rival's rounds where one takes minutes and the goal does not need it. */
  readonly mostRivalRounds?: number;
}

export type BenchCase = ConvertCase | SpecialCase;

type Lengths = "brief" | "two" | "three" | "ten" | "long";
const LENGTH_NAMES: Readonly<Record<Lengths, string>> = {
  brief: "30 s",
  two: "2 min",
  three: "3 min",
  ten: "10 min",
  long: "2 h",
};

/** Lengths whose clips have one rendition. */
const ONLY_FILES: Partial<Record<Lengths, string>> = {
  brief: "video-480.mp4",
  three: "video-480.mp4",
  long: "video-240.mp4",
};

type Delivery = "progressive" | "hls" | "dash";
/** `media`: the file that a person would convert; `leastPicture`: the file with the sound and the least video. */
const MP3_FILES: Readonly<Record<Delivery, { readonly media: string; readonly leastPicture: string }>> = {
  progressive: { media: "video-720.mp4", leastPicture: "video-720.mp4" },
  hls: { media: "master.m3u8", leastPicture: "video-240.mp4" },
  dash: { media: "manifest.mpd", leastPicture: "sound.m4a" },
};

interface Mp3Options {
  readonly kbps: 128 | 320;
  readonly delivery: Delivery;
  readonly length: Lengths;
  readonly wire?: WireName;
  readonly targets?: readonly Target[];
  readonly isQuick?: boolean;
}

function mp3({ kbps, delivery, length, wire = "unlimited", targets, isQuick = false }: Mp3Options): ConvertCase {
  const only = delivery === "progressive" ? ONLY_FILES[length] : undefined;
  const files = only === undefined ? MP3_FILES[delivery] : { media: only, leastPicture: only };
  // sound.m4a has ten minutes, also in the folders of shorter and longer clips.
  const floorFile = length === "ten" || delivery !== "dash" ? files.leastPicture : "video-240.mp4";
  const encode = ["-vn", "-c:a", "libmp3lame", "-b:a", `${kbps}k`, "out.mp3"];
  return {
    kind: "convert",
    name: `mp3-${kbps}-${delivery}-${LENGTH_NAMES[length].replace(" ", "")}${wire === "unlimited" ? "" : `@${wire}`}`,
    about: `MP3 ${kbps}, ${LENGTH_NAMES[length]}, ${delivery}`,
    page: `${length}-${delivery}${delivery === "progressive" && only === undefined ? "-720" : ""}`,
    wire,
    tier: kbps === 320 ? "pro" : "free",
    format: "mp3",
    ytDlpArgs: ["-x", "--audio-format", "mp3", "--audio-quality", `${kbps}K`],
    ffmpegArgs: (media) => ["-i", media(files.media), ...encode],
    floorArgs: (file) => ["-i", file(floorFile), ...encode],
    folder: length,
    targets,
    isQuick,
    isFfmpegLeftOut: length === "long" || wire !== "unlimited" || isQuick,
  };
}

interface Mp4Options {
  readonly lines: 480 | 1080;
  readonly from: "progressive" | "dash" | "vp9";
  readonly length?: "two" | "ten";
  readonly wire?: WireName;
  readonly targets?: readonly Target[];
  readonly isQuick?: boolean;
}

const MP4_KINDS = { progressive: "remux", dash: "separate streams", vp9: "transcode VP9" } as const;

/** The product's own encoder settings, so that only the speed differs. */
const x264 = (lines: 480 | 1080): string[] => {
  const encode = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-profile:v", "high", "-pix_fmt", "yuv420p"];
  return [...encode, "-maxrate", `${maxVideoKbps(lines)}k`, "-bufsize", `${2 * maxVideoKbps(lines)}k`];
};
const COPY = ["-c", "copy", "-movflags", "+faststart", "out.mp4"];

function mp4({ lines, from, length = "ten", wire = "unlimited", targets, isQuick = false }: Mp4Options): ConvertCase {
  const lengthName = from === "vp9" ? "1 min" : LENGTH_NAMES[length];
  const base = {
    kind: "convert",
    name: `mp4-${lines}-${from}-${lengthName.replace(" ", "")}${wire === "unlimited" ? "" : `@${wire}`}`,
    about: `MP4 ${lines}p, ${lengthName}, ${MP4_KINDS[from]}`,
    wire,
    tier: lines === 1080 ? "pro" : "free",
    format: "mp4",
    targets,
    isQuick,
    isFfmpegLeftOut: wire !== "unlimited" || isQuick,
  } as const;
  const choose = ["-f", `bv*[height<=${lines}]+ba/b[height<=${lines}]/b`];
  switch (from) {
    case "progressive": {
      const name = `video-${lines}.mp4`;
      return {
        ...base,
        page: `${length}-progressive-${lines}`,
        folder: length,
        ytDlpArgs: [...choose, "--merge-output-format", "mp4"],
        ffmpegArgs: (media) => ["-i", media(name), ...COPY],
        floorArgs: (file) => ["-i", file(name), ...COPY],
      };
    }
    case "dash": {
      // The manifest's renditions in order: 480, 720, 1080, sound.
      const maps = ["-map", `0:v:${lines === 480 ? 0 : 2}`, "-map", "0:a:0"];
      return {
        ...base,
        page: `${length}-dash`,
        folder: length,
        ytDlpArgs: [...choose, "--merge-output-format", "mp4"],
        ffmpegArgs: (media) => ["-i", media("manifest.mpd"), ...maps, ...COPY],
        floorArgs: (file) => ["-i", file(`video-${lines}.mp4`), ...COPY],
      };
    }
    case "vp9": {
      const name = `video-${lines}.webm`;
      const sound = ["-c:a", "aac", "-b:a", "128k"];
      const scale = ["-vf", `scale=-2:${lines},setsar=1`];
      const encode = [...x264(lines), ...scale, ...sound, "-movflags", "+faststart", "out.mp4"];
      return {
        ...base,
        page: `vp9-${lines}`,
        folder: "vp9",
        ytDlpArgs: [...choose, "--recode-video", "mp4"],
        ffmpegArgs: (media) => ["-i", media(name), ...encode],
        floorArgs: (file) => ["-i", file(name), ...encode],
      };
    }
  }
}

const vs = (against: Target["against"], atMost: number): Target => ({ against, atMost });
const DOWNLOAD = [vs("download", 1.1)];

export const CASES: readonly BenchCase[] = [
  mp3({
    kbps: 128,
    delivery: "progressive",
    length: "ten",
    targets: [vs("yt-dlp", 0.5), vs("limit", 1.12), vs("own CPU", 0.6), vs("all CPU", 8.2)],
  }),
  mp3({ kbps: 128, delivery: "hls", length: "ten", targets: [vs("yt-dlp", 0.35), vs("limit", 1.12)] }),
  mp3({ kbps: 128, delivery: "dash", length: "ten", targets: [vs("limit", 1.12)] }),
  mp3({ kbps: 320, delivery: "progressive", length: "ten" }),
  mp3({ kbps: 320, delivery: "hls", length: "ten" }),
  mp3({ kbps: 320, delivery: "dash", length: "ten" }),
  mp3({ kbps: 128, delivery: "progressive", length: "brief", targets: [vs("clock", 350)] }),
  mp3({ kbps: 128, delivery: "progressive", length: "three", targets: [vs("clock", 500)] }),
  mp4({ lines: 1080, from: "dash", targets: [vs("yt-dlp", 0.6), vs("limit", 1.6)] }),
  mp4({ lines: 480, from: "dash" }),
  mp4({ lines: 480, from: "progressive", targets: [vs("limit", 2)] }),
  mp4({ lines: 1080, from: "progressive" }),
  mp4({ lines: 480, from: "vp9", targets: [vs("ffmpeg", 1.05)] }),
  mp4({ lines: 1080, from: "vp9", targets: [vs("ffmpeg", 1.05)] }),

  mp3({ kbps: 128, delivery: "hls", length: "ten", wire: "100" }),
  mp3({ kbps: 128, delivery: "dash", length: "ten", wire: "100" }),
  mp3({ kbps: 128, delivery: "progressive", length: "ten", wire: "100" }),
  mp4({ lines: 1080, from: "dash", wire: "100", targets: [vs("yt-dlp", 0.75)] }),
  mp3({ kbps: 128, delivery: "hls", length: "ten", wire: "20", targets: DOWNLOAD }),
  mp3({ kbps: 128, delivery: "hls", length: "two", wire: "20", targets: DOWNLOAD }),
  mp3({ kbps: 128, delivery: "dash", length: "ten", wire: "20", targets: DOWNLOAD }),
  mp3({ kbps: 128, delivery: "progressive", length: "two", wire: "20", targets: DOWNLOAD }),
  mp4({ lines: 1080, from: "dash", length: "two", wire: "20" }),
  mp3({ kbps: 128, delivery: "hls", length: "two", wire: "5" }),
  mp3({ kbps: 128, delivery: "dash", length: "ten", wire: "5" }),
  mp3({ kbps: 128, delivery: "progressive", length: "two", wire: "5" }),

  // Only at 320 kbps, because the free plan with 128 kbps is limited to 20 minutes.
  mp3({
    kbps: 320,
    delivery: "progressive",
    length: "long",
    targets: [vs("yt-dlp", 0.52), vs("limit", 1.08), vs("own CPU", 4)],
  }),
  mp3({ kbps: 320, delivery: "hls", length: "long" }),
  mp3({ kbps: 320, delivery: "dash", length: "long" }),

  { kind: "batch", name: "batch-20", about: "batch of 20 MP3 320, 10 min progressive", isQuick: false },
  { kind: "repeat", name: "repeat", about: "the same link again", isQuick: true },
  { kind: "mixed", name: "mixed-100", about: "100 jobs of 10 owners", isQuick: false, mostRivalRounds: 1 },
  { kind: "memory", name: "memory-20", about: "20 jobs running at a time", isQuick: false },

  { kind: "youtube", name: "youtube-mp3-4min", about: "YouTube, MP3 320, 4 min", isQuick: false },
  { kind: "songs", name: "youtube-songs-20", about: "YouTube, 20 × MP3 320, 4 min", isQuick: false, count: 20 },

  // Short enough to run before every commit.
  mp3({ kbps: 128, delivery: "progressive", length: "two", isQuick: true }),
  mp3({ kbps: 128, delivery: "hls", length: "two", isQuick: true }),
  mp3({ kbps: 128, delivery: "dash", length: "two", isQuick: true }),
  mp4({ lines: 1080, from: "dash", length: "two", isQuick: true }),
  mp4({ lines: 480, from: "progressive", length: "two", isQuick: true }),
];

/**
 * @param wanted whole names, each for one case, or parts of names, each for all cases that contain it
 * @throws Error when one of them is in no name
 */
export function chooseCases(wanted: readonly string[]): BenchCase[] {
  const names = CASES.map(({ name }) => name);
  const unknown = wanted.filter((part) => !names.some((name) => name.includes(part)));
  if (unknown.length > 0) throw new Error(`no case is called ${unknown.join(" or ")}; there are ${names.join(", ")}`);
  return CASES.filter(({ name }) =>
    wanted.some((part) => (names.includes(part) ? name === part : name.includes(part))),
  );
}
