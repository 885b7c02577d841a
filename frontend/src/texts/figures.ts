/** Formats every figure of the help and legal pages, from the constants that the server enforces. */
import { MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { PRO_MONTHLY_USD, PRO_YEARLY_USD } from "../../../common/prices.ts";
import {
  ACCOUNT_DELETION_DAYS,
  BACKUP_DAYS,
  RECORD_DAYS,
  USAGE_LOG_DAYS,
  WEBHOOK_LOG_DAYS,
} from "../../../common/retention-policy.ts";
import {
  ANSWER_HOURS,
  LEGAL_DATE,
  REFUND_DAYS,
  UPTIME_TARGET_PERCENT,
  USUAL_CONVERSION_MINUTES,
} from "../../../common/service-commitments.ts";
import { TIERS, tierConvertsTo } from "../../../common/tiers.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Formats } from "./format.ts";
import { tierFigures } from "./tier-figures.ts";
import { pageContacts } from "../platform/page-contacts.ts";

const DAY_SECONDS = 86_400;

export type Figures = ReturnType<typeof createFigures>;

export function createFigures(formats: Formats) {
  const days = (count: number) => formats.span(count * DAY_SECONDS);
  const [usualFrom, usualTo] = USUAL_CONVERSION_MINUTES;
  const ofTier = (tier: Tier) => {
    const figures = tierFigures(tier, formats);
    const otherFormats = formats.list(formats.otherFormats(tier));
    return { ...figures, otherFormats, batch: formats.number(figures.batch) };
  };
  const proFormats = TIERS.pro.formats.filter((format) => !tierConvertsTo("free", format));
  return {
    listEntries: formats.number(MAX_LIST_ENTRIES),
    /** "FLAC, WAV". */
    proFormats: formats.list(proFormats.map(formats.formatName)),
    free: ofTier("free"),
    pro: ofTier("pro"),
    monthly: formats.dollars(PRO_MONTHLY_USD),
    yearly: formats.dollars(PRO_YEARLY_USD),
    logs: days(USAGE_LOG_DAYS),
    records: days(RECORD_DAYS),
    webhookLog: days(WEBHOOK_LOG_DAYS),
    deletion: days(ACCOUNT_DELETION_DAYS),
    backups: days(BACKUP_DAYS),
    refund: days(REFUND_DAYS),
    uptime: formats.latin(`${formats.number(UPTIME_TARGET_PERCENT)} %`),
    usualFrom: formats.number(usualFrom),
    usualTo: formats.number(usualTo),
    /** In hours. */
    answers: ANSWER_HOURS,
    ...pageContacts,
    date: formats.date(LEGAL_DATE),
  };
}
