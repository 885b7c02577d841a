/** The two ways to pay for Pro, as pages show them. Every figure comes from the tables both sides share. */
import type { Plan } from "../../../../common/api.ts";
import { PRO_MONTHLY_USD, PRO_YEARLY_SAVING_USD, PRO_YEARLY_USD } from "../../../../common/prices.ts";
import { BYTES_PER_MB, TIERS, qualityFor } from "../../../../common/tiers.ts";
import { formatQuality, formatSpan, formatUsd } from "../../format.ts";

export interface PlanOffer {
  readonly plan: Plan;
  readonly name: string;
  readonly priceUsd: number;
  /** "per month" */
  readonly interval: string;
  readonly badges: readonly string[];
}

export const SAVING = `Save ${formatUsd(PRO_YEARLY_SAVING_USD)}`;

export const PLANS: Readonly<Record<Plan, PlanOffer>> = {
  monthly: { plan: "monthly", name: "Monthly", priceUsd: PRO_MONTHLY_USD, interval: "per month", badges: [] },
  yearly: { plan: "yearly", name: "Yearly", priceUsd: PRO_YEARLY_USD, interval: "per year", badges: ["Most Popular", SAVING] },
};

const { maxFileBytes, maxDurationSeconds, retentionSeconds, batchSize } = TIERS.pro;

export const FILE_LIMIT = `${maxFileBytes / BYTES_PER_MB} MB`;

/** What Pro gives, a line each. */
export const PRO_FEATURES: readonly string[] = [
  `MP3 at ${formatQuality(qualityFor("pro", "mp3"))}, MP4 at ${formatQuality(qualityFor("pro", "mp4"))}`,
  `Videos up to ${formatSpan(maxDurationSeconds)}, files up to ${FILE_LIMIT}`,
  `Up to ${batchSize} URLs at once`,
  `Files kept for ${formatSpan(retentionSeconds)}`,
  "Fast Processing: first in the queue",
  "No ads",
];

export const ASSURANCE = "Cancel anytime • No hidden fees • 30-day money back guarantee";
