import { TIERS, qualityFor } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";
import type { Formats } from "../../texts/format.ts";
import type { Texts } from "../../texts/en.ts";

/** Describes the limits of a tier in three lines: formats, sizes, and how long files are kept. */
export function tierFeatures(tier: Tier, texts: Texts["pricing"], formats: Formats): string[] {
  const limits = TIERS[tier];
  const span = formats.span(limits.maxDurationSeconds);
  const size = formats.wholeMegabytes(limits.maxFileBytes);
  const retention = formats.span(limits.retentionSeconds);
  return [
    formats.list([
      formats.latin(`MP3 ${formats.quality(qualityFor(tier, "mp3"))}`),
      formats.latin(`MP4 ${formats.quality(qualityFor(tier, "mp4"))}`),
      ...formats.otherFormats(tier),
      ...(limits.hasChapterFiles ? [texts.chapterFiles] : []),
    ]),
    limits.batchSize > 1 ? texts.limitsWithBatch(span, size, limits.batchSize) : texts.limits(span, size),
    limits.showsAds ? texts.kept(retention) : texts.keptFirstInQueue(retention),
  ];
}
