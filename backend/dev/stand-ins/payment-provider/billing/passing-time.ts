/** Runs what becomes due as the clock moves: renewals, retries, ends and expiries. */
import type { Account } from "../account.ts";
import { periodEndSeconds, planOf } from "../shapes/catalog.ts";
import { periodEndOf } from "../shapes/subscription.ts";
import type { Subscription } from "../state.ts";
import { cancelNow, expire, isOver } from "./ending.ts";
import { collect, draftInvoice, DRAFT_SECONDS, finalizeAndCollect, periodLine, savedCard } from "./invoicing.ts";

/** Time limit of the first payment: https://docs.stripe.com/billing/subscriptions/overview. */
const FIRST_PAYMENT_SECONDS = 23 * 3_600;

interface Due {
  readonly atSeconds: number;
  readonly run: () => void;
}

/** Runs everything that has become due until now, in order. */
export function catchUp(account: Account): void {
  passTimeUntil(account, account.now());
}

/** Moves the clock and runs what becomes due on the way, each at its own time. */
export function passTimeUntil(account: Account, targetSeconds: number): void {
  try {
    for (;;) {
      const next = earliest(account);
      if (!next || next.atSeconds > targetSeconds) break;
      account.momentSeconds = next.atSeconds;
      next.run();
    }
  } finally {
    account.momentSeconds = null;
  }
  const aheadSeconds = targetSeconds - account.now();
  if (aheadSeconds > 0) account.state.clockOffsetSeconds += aheadSeconds;
}

function earliest(account: Account): Due | undefined {
  let first: Due | undefined;
  const consider = (atSeconds: number | null, run: () => void) => {
    if (atSeconds !== null && (!first || atSeconds < first.atSeconds)) first = { atSeconds, run };
  };
  for (const subscription of account.list("subscription")) {
    if (isOver(subscription) || subscription.status === "paused") continue;
    consider(subscription.pause_collection?.resumes_at ?? null, () => {
      subscription.pause_collection = null;
      account.emit("customer.subscription.updated", subscription);
    });
    if (subscription.status === "incomplete")
      consider(subscription.created + FIRST_PAYMENT_SECONDS, () => expire(account, subscription));
    else if (subscription.cancel_at_period_end)
      consider(periodEndOf(subscription), () => cancelNow(account, subscription, "cancellation_requested"));
    else consider(periodEndOf(subscription), () => renew(account, subscription));
  }
  for (const invoice of account.list("invoice")) {
    if (invoice.status === "draft")
      consider(invoice.automatically_finalizes_at, () => void finalizeAndCollect(account, invoice));
    if (invoice.status === "open") consider(invoice.next_payment_attempt, () => void collect(account, invoice));
  }
  return first;
}

function renew(account: Account, subscription: Subscription): void {
  const wasTrial = subscription.status === "trialing";
  const withoutCard = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (wasTrial && !savedCard(account, subscription) && withoutCard !== "create_invoice") {
    if (withoutCard === "cancel") return cancelNow(account, subscription, "cancellation_requested");
    subscription.status = "paused";
    account.emit("customer.subscription.paused", subscription);
    return;
  }
  const { nextPrices } = account.state.secrets;
  const next = account.find("price", nextPrices[subscription.id] ?? "");
  delete nextPrices[subscription.id];
  for (const item of subscription.items.data) {
    if (next) Object.assign(item, { price: next, plan: planOf(next) });
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEndSeconds(
      item.price,
      item.current_period_start,
      subscription.billing_cycle_anchor,
    );
  }
  if (wasTrial) subscription.status = "active";
  const invoice = draftInvoice(
    account,
    subscription,
    "subscription_cycle",
    subscription.items.data.map((item) => periodLine(account, item)),
  );
  if (subscription.pause_collection?.behavior === "keep_as_draft") invoice.auto_advance = false;
  else invoice.automatically_finalizes_at = account.now() + DRAFT_SECONDS;
  account.emit("customer.subscription.updated", subscription);
}
