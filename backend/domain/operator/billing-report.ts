/** Subscriptions whose state here may not be that of the payment provider: those that could not be read back lately. */
import type { BillingReport } from "../../../common/operator.ts";
import type { Billing } from "../billing/billing.ts";

/** A read-back or a message is dealt with within seconds, and retried for some minutes. */
const LATE_MS = 10 * 60 * 1_000;
const SHOWN_IDS = 5;

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
  return {
    failing: await accounts.countDocuments(failing),
    overdue: await accounts.countDocuments(overdue),
    unhandledEvents: await events.countDocuments(late),
    userIds: [...new Set(ids.flat().map(({ _id }) => _id))].slice(0, SHOWN_IDS),
  };
}
