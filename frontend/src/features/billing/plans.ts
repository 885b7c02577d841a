/** The two plans of Pro as pages show them. All figures come from common/. */
import type { Plan } from "../../../../common/api.ts";
import {
  PRO_MONTH_OF_YEAR_USD,
  PRO_MONTHLY_USD,
  PRO_YEARLY_SAVING_USD,
  PRO_YEARLY_USD,
} from "../../../../common/prices.ts";
import type { Formats } from "../../texts/format.ts";
import type { Texts } from "../../texts/en.ts";
import { otherMakes, tierFigures } from "../../texts/tier-figures.ts";

export interface PlanOffer {
  readonly priceUsd: number;
  /** Saving against twelve monthly payments; null for the monthly plan. */
  readonly savingUsd: number | null;
  /** What it costs a month; null for the monthly plan. */
  readonly monthUsd: number | null;
  readonly isFavourite: boolean;
}

export const OFFERS: Readonly<Record<Plan, PlanOffer>> = {
  monthly: { priceUsd: PRO_MONTHLY_USD, savingUsd: null, monthUsd: null, isFavourite: false },
  yearly: {
    priceUsd: PRO_YEARLY_USD,
    savingUsd: PRO_YEARLY_SAVING_USD,
    monthUsd: PRO_MONTH_OF_YEAR_USD,
    isFavourite: true,
  },
};

/** Lists the features of Pro, one line each. */
export function proFeatures({ billing, pricing }: Texts, formats: Formats): string[] {
  const texts = billing.features;
  const { mp3, mp4, length, size, kept, batch } = tierFigures("pro", formats);
  return [
    texts.quality(mp3, mp4),
    texts.otherFormats(formats.list(otherMakes("pro", formats, pricing.chapterFiles))),
    texts.limits(length, size),
    texts.batch(batch),
    texts.kept(kept),
    texts.fast,
    texts.noAds,
  ];
}
