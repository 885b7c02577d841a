/**
 * What each tier gets: the one table that the server enforces and the client shows.
 * No other file may state one of these figures.
 */
import { z } from "zod";

export const Tier = z.enum(["free", "pro"]);
export type Tier = z.infer<typeof Tier>;

export const Format = z.enum(["mp3", "mp4"]);
export type Format = z.infer<typeof Format>;

export const Quality = z.enum(["128kbps", "320kbps", "480p", "1080p"]);
export type Quality = z.infer<typeof Quality>;

/** File sizes are shown to people in decimal megabytes, and the limits are counted the same way. */
export const BYTES_PER_MB = 1_000_000;

export interface TierLimits {
  /** Largest finished file. */
  readonly maxFileBytes: number;
  /** Longest video accepted. */
  readonly maxDurationSeconds: number;
  /** How long a finished file can be downloaded. */
  readonly retentionSeconds: number;
  readonly mp3BitrateKbps: 128 | 320;
  /** Most lines of picture; the width follows from the source's shape. */
  readonly mp4MaxHeight: 480 | 1080;
  /** Links accepted at once. */
  readonly batchSize: number;
  /** Higher goes first in the queue. */
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

/** The quality a tier gets for a format; nobody chooses it. */
export function qualityFor(tier: Tier, format: Format): Quality {
  const limits = TIERS[tier];
  return format === "mp3" ? `${limits.mp3BitrateKbps}kbps` : `${limits.mp4MaxHeight}p`;
}

/** Whether a tier's own quality for the format is at least the one asked for. */
export function tierAllows(tier: Tier, format: Format, asked: Quality): boolean {
  const isForFormat = asked.endsWith("kbps") === (format === "mp3");
  return isForFormat && Number.parseInt(asked, 10) <= Number.parseInt(qualityFor(tier, format), 10);
}
