import { TIERS } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";
import type { Formats } from "../../texts/format.ts";
import type { Texts } from "../../texts/en.ts";
import { otherMakes, tierFigures } from "../../texts/tier-figures.ts";

/** Describes the limits of a tier in three lines: formats, sizes, and how long files are kept. */
export function tierFeatures(tier: Tier, texts: Texts["pricing"], formats: Formats): string[] {
  const { mp3, mp4, length, size, kept, batch } = tierFigures(tier, formats);
  return [
    formats.list([
      formats.latin(`MP3 ${mp3}`),
      formats.latin(`MP4 ${mp4}`),
      ...otherMakes(tier, formats, texts.chapterFiles),
    ]),
    batch > 1 ? texts.limitsWithBatch(length, size, batch) : texts.limits(length, size),
    TIERS[tier].showsAds ? texts.kept(kept) : texts.keptFirstInQueue(kept),
  ];
}
