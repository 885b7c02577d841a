/**
 * The limits of each tier, which the server enforces and the client shows.
 * Other code reads the figures from here. The README, the texts' wording and the expected values of tests repeat some.
 */
import { z } from "zod";

export const Tier = z.enum(["free", "pro"]);
export type Tier = z.infer<typeof Tier>;

/**
 * `original`: the sound as its site has it, without encoding it again. `transcript`: the subtitles as a file of their own.
 */
export const Format = z.enum(["mp3", "mp4", "original", "flac", "wav", "transcript"]);
export type Format = z.infer<typeof Format>;

/** Formats that are made of sound and picture. */
export type MediaFormat = Exclude<Format, "transcript">;

export const Quality = z.enum(["128kbps", "320kbps", "480p", "1080p", "original", "lossless", "text"]);
export type Quality = z.infer<typeof Quality>;

/** Sizes are shown in decimal megabytes, and the limits use the same unit. */
export const BYTES_PER_MB = 1_000_000;

export interface TierLimits {
  /** What a link can be converted to. */
  readonly formats: readonly Format[];
  /** Size of the largest finished file. */
  readonly maxFileBytes: number;
  /** Length of the longest accepted video. */
  readonly maxDurationSeconds: number;
  /** A finished file can be downloaded for this long. */
  readonly retentionSeconds: number;
  readonly mp3BitrateKbps: 128 | 320;
  /** Longest shorter side of a picture in pixels, as sites name sizes; the other one follows from its shape. */
  readonly mp4MaxHeight: 480 | 1080;
  /** Most links in one batch. */
  readonly batchSize: number;
  /** Jobs with a higher priority start first. */
  readonly priority: number;
  /** Most tokens of one account. */
  readonly maxTokens: number;
  /** Most webhooks of one account. */
  readonly maxWebhooks: number;
  /** Most playlists and channels that one account follows. */
  readonly maxFollows: number;
  /** One file for each chapter can be made. */
  readonly hasChapterFiles: boolean;
  readonly showsAds: boolean;
}

export const TIERS: Readonly<Record<Tier, TierLimits>> = {
  free: {
    formats: ["mp3", "mp4", "original", "transcript"],
    maxFileBytes: 50 * BYTES_PER_MB,
    maxDurationSeconds: 20 * 60,
    retentionSeconds: 60 * 60,
    mp3BitrateKbps: 128,
    mp4MaxHeight: 480,
    batchSize: 1,
    priority: 0,
    maxTokens: 1,
    maxWebhooks: 1,
    maxFollows: 0,
    hasChapterFiles: false,
    showsAds: true,
  },
  pro: {
    formats: Format.options,
    maxFileBytes: 500 * BYTES_PER_MB,
    maxDurationSeconds: 2 * 60 * 60,
    retentionSeconds: 7 * 24 * 60 * 60,
    mp3BitrateKbps: 320,
    mp4MaxHeight: 1080,
    batchSize: 20,
    priority: 1_000,
    maxTokens: 20,
    maxWebhooks: 10,
    maxFollows: 20,
    hasChapterFiles: true,
    showsAds: false,
  },
};

/** @returns the quality of a tier for a format; users cannot choose it. That of a format that the tier lacks is Pro's */
export function qualityFor(tier: Tier, format: Format): Quality {
  const { mp3BitrateKbps, mp4MaxHeight } = TIERS[tier];
  const qualities = {
    mp3: `${mp3BitrateKbps}kbps`,
    mp4: `${mp4MaxHeight}p`,
    original: "original",
    flac: "lossless",
    wav: "lossless",
    transcript: "text",
  } as const;
  return qualities[format];
}

/** Whether the tier has the format. */
export function tierConvertsTo(tier: Tier, format: Format): boolean {
  return TIERS[tier].formats.includes(format);
}

/** Whether the tier has the format, and its quality is at least the requested one. */
export function tierAllows(tier: Tier, format: Format, asked: Quality): boolean {
  const own = qualityFor(tier, format);
  const unitOf = (quality: Quality): string => quality.replace(/^\d+/, "");
  const isEnough = asked === own || (unitOf(asked) === unitOf(own) && Number.parseInt(asked) <= Number.parseInt(own));
  return isEnough && tierConvertsTo(tier, format);
}

/** Whether all tiers with the format have the same quality of it, so that the quality does not tell the tier. */
export function isSameInAllTiers(format: Format): boolean {
  return qualityFor("free", format) === qualityFor("pro", format);
}
