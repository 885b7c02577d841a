/**
 * The limits of each tier, which the server enforces and the client shows.
 * Other code reads the figures from here. The README, the texts' wording and the expected values of tests repeat some.
 */
import { z } from "zod";

export const Tier = z.enum(["free", "pro"]);
export type Tier = z.infer<typeof Tier>;

export const Format = z.enum(["mp3", "mp4"]);
export type Format = z.infer<typeof Format>;

export const Quality = z.enum(["128kbps", "320kbps", "480p", "1080p"]);
export type Quality = z.infer<typeof Quality>;

/** Sizes are shown in decimal megabytes, and the limits use the same unit. */
export const BYTES_PER_MB = 1_000_000;

export interface TierLimits {
  /** Size of the largest finished file. */
  readonly maxFileBytes: number;
  /** Length of the longest accepted video. */
  readonly maxDurationSeconds: number;
  /** A finished file can be downloaded for this long. */
  readonly retentionSeconds: number;
  readonly mp3BitrateKbps: 128 | 320;
  /** Largest picture height in pixels; the width follows from the aspect ratio of the source. */
  readonly mp4MaxHeight: 480 | 1080;
  /** Most links in one batch. */
  readonly batchSize: number;
  /** Jobs with a higher priority start first. */
  readonly priority: number;
  readonly showsAds: boolean;
}

export const TIERS: Readonly<Record<Tier, TierLimits>> = {
  free: {
    maxFileBytes: 50 * BYTES_PER_MB,
    maxDurationSeconds: 20 * 60,
    retentionSeconds: 60 * 60,
    mp3BitrateKbps: 128,
    mp4MaxHeight: 480,
    batchSize: 1,
    priority: 0,
    showsAds: true,
  },
  pro: {
    maxFileBytes: 500 * BYTES_PER_MB,
    maxDurationSeconds: 2 * 60 * 60,
    retentionSeconds: 7 * 24 * 60 * 60,
    mp3BitrateKbps: 320,
    mp4MaxHeight: 1080,
    batchSize: 20,
    priority: 1_000,
    showsAds: false,
  },
};

/** @returns the quality of a tier for a format; users cannot choose it */
export function qualityFor(tier: Tier, format: Format): Quality {
  const limits = TIERS[tier];
  return format === "mp3" ? `${limits.mp3BitrateKbps}kbps` : `${limits.mp4MaxHeight}p`;
}

/** Whether the tier's quality for the format is at least the requested one. */
export function tierAllows(tier: Tier, format: Format, asked: Quality): boolean {
  const isForFormat = asked.endsWith("kbps") === (format === "mp3");
  return isForFormat && Number.parseInt(asked, 10) <= Number.parseInt(qualityFor(tier, format), 10);
}
