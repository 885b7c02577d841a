import { TIERS, qualityFor, type Tier } from "../../../common/tiers.ts";
import type { Formats } from "./format.ts";

/** Formats the limits of a tier, as every page shows them. */
export function tierFigures(tier: Tier, formats: Formats) {
  const { maxFileBytes, maxDurationSeconds, retentionSeconds, batchSize } = TIERS[tier];
  return {
    size: formats.wholeMegabytes(maxFileBytes),
    length: formats.span(maxDurationSeconds),
    kept: formats.span(retentionSeconds),
    mp3: formats.quality(qualityFor(tier, "mp3")),
    mp4: formats.quality(qualityFor(tier, "mp4")),
    /** Links at once. */
    batch: batchSize,
  };
}

/** @returns what else than MP3 and MP4 a tier makes: "original sound", "FLAC", "one file per chapter" */
export function otherMakes(tier: Tier, formats: Formats, chapterFiles: string): string[] {
  return [...formats.otherFormats(tier), ...(TIERS[tier].hasChapterFiles ? [chapterFiles] : [])];
}
