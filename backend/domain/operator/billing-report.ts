/**
 * Subscriptions whose state here is not that of the payment provider, or may not be, because they could not be read back
 * lately.
 */
import type { BillingReport, PaidTier as ShownTier } from "../../../common/operator.ts";
import type { PaidTier } from "../billing/account-model.ts";
import type { Billing } from "../billing/billing.ts";
import { findDisagreements } from "../billing/read-back/disagreements.ts";

/** A read-back or a message is dealt with within seconds, and retried for some minutes. */
const LATE_MS = 10 * 60 * 1_000;
const SHOWN_IDS = 5;
const SHOWN_DISAGREEMENTS = 20;

/** Reads nothing from the provider. */
export async function reportBilling(billing: Billing): Promise<BillingReport> {
  const { accounts, events } = billing;
  const failing = { failures: { $gt: 0 } };
  const overdue = { nextReadAt: { $ne: null, $lte: new Date(billing.now().getTime() - LATE_MS) } };
  const late = { handledAt: null, receivedAt: { $lte: new Date(Date.now() - LATE_MS) } };
  const ids = await Promise.all(
    [failing, overdue].map((condition) =>
      accounts.find(condition, { _id: 1 }).limit(SHOWN_IDS).lean<{ _id: string }[]>(),
    ),
  );
  const disagreements = await findDisagreements(billing);
  const corrected = disagreements.filter(({ isCorrected }) => isCorrected).length;
  return {
    disagreeing: disagreements.length - corrected,
    corrected,
    disagreements: disagreements.slice(0, SHOWN_DISAGREEMENTS).map(({ ours, theirs, since, ...rest }) => ({
      ...rest,
      ours: present(ours),
      theirs: present(theirs),
      since: since.toISOString(),
    })),
    failing: await accounts.countDocuments(failing),
    overdue: await accounts.countDocuments(overdue),
    unhandledEvents: await events.countDocuments(late),
    userIds: [...new Set(ids.flat().map(({ _id }) => _id))].slice(0, SHOWN_IDS),
  };
}

function present({ tier, until }: PaidTier): ShownTier {
  return { tier, until: until?.toISOString() ?? null };
}
