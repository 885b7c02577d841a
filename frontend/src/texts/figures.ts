/** Every figure that the longer pages name, from the tables that the server enforces, ready to be read. */
import { PRO_MONTHLY_USD, PRO_YEARLY_USD } from "../../../common/prices.ts";
import * as promises from "../../../common/promises.ts";
import { TIERS, qualityFor } from "../../../common/tiers.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Formats } from "./format.ts";
import { pageContacts } from "../platform/page-contacts.ts";

const DAY_SECONDS = 86_400;

export type Figures = ReturnType<typeof createFigures>;

export function createFigures(formats: Formats) {
  const days = (count: number) => formats.span(count * DAY_SECONDS);
  const [usualFrom, usualTo] = promises.USUAL_CONVERSION_MINUTES;
  const ofTier = (tier: Tier) => {
    const { maxFileBytes, maxDurationSeconds, retentionSeconds, batchSize } = TIERS[tier];
    return {
      size: formats.wholeMegabytes(maxFileBytes),
      length: formats.span(maxDurationSeconds),
      kept: formats.span(retentionSeconds),
      mp3: formats.quality(qualityFor(tier, "mp3")),
      mp4: formats.quality(qualityFor(tier, "mp4")),
      batch: formats.number(batchSize),
    };
  };
  return {
    free: ofTier("free"),
    pro: ofTier("pro"),
    monthly: formats.dollars(PRO_MONTHLY_USD),
    yearly: formats.dollars(PRO_YEARLY_USD),
    logs: days(promises.USAGE_LOG_DAYS),
    records: days(promises.RECORD_DAYS),
    deletion: days(promises.ACCOUNT_DELETION_DAYS),
    refund: days(promises.REFUND_DAYS),
    uptime: formats.latin(`${formats.number(promises.UPTIME_TARGET_PERCENT)} %`),
    usualFrom: formats.number(usualFrom),
    usualTo: formats.number(usualTo),
    /** In hours. */
    answers: promises.ANSWER_HOURS,
    ...pageContacts,
    date: formats.date(promises.LEGAL_DATE),
  };
}
