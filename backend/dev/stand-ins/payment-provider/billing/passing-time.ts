/** Runs what becomes due as the clock moves: renewals, retries, ends and expiries. */
import type { Account } from "../account.ts";
import type { Subscription } from "../state.ts";
import { cancelNow, expire, isOver } from "./ending.ts";
import { collect, draftInvoice, DRAFT_SECONDS, finalizeAndCollect, savedCard } from "./invoicing.ts";
import { periodEndSeconds } from "./subscribing.ts";

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
  account.state.clockOffsetSeconds += Math.max(0, targetSeconds - account.now());
}

function earliest(account: Account): Due | undefined {
  let first: Due | undefined;
  const consider = (atSeconds: number | null, run: () => void) => {
    if (atSeconds !== null && (!first || atSeconds < first.atSeconds)) first = { atSeconds, run };
  };
  for (const subscription of account.list("subscription")) {
    if (isOver(subscription) || subscription.status === "paused") continue;
    const { current_period_end: end } = subscription.items.data[0];
    consider(subscription.pause_collection?.resumes_at ?? null, () => {
      subscription.pause_collection = null;
      account.emit("customer.subscription.updated", subscription);
    });
    if (subscription.status === "incomplete")
      consider(subscription.created + FIRST_PAYMENT_SECONDS, () => expire(account, subscription));
    else if (subscription.cancel_at_period_end) consider(end, () => cancelNow(account, subscription));
    else consider(end, () => renew(account, subscription));
  }
  for (const invoice of account.list("invoice")) {
    if (invoice.status === "draft")
      consider(invoice.automatically_finalizes_at, () => finalizeAndCollect(account, invoice));
    if (invoice.status === "open") consider(invoice.next_payment_attempt, () => void collect(account, invoice));
  }
  return first;
}

function renew(account: Account, subscription: Subscription): void {
  if (subscription.status === "trialing") {
    const pauses = subscription.trial_settings?.end_behavior.missing_payment_method === "pause";
    if (pauses && !savedCard(account, subscription)) {
      subscription.status = "paused";
      account.emit("customer.subscription.paused", subscription);
      return;
    }
    subscription.status = "active";
  }
  const { nextPrices } = account.state.secrets;
  const [item] = subscription.items.data;
  item.price = account.find("price", nextPrices[subscription.id] ?? null) ?? item.price;
  delete nextPrices[subscription.id];
  item.current_period_start = item.current_period_end;
  item.current_period_end = periodEndSeconds(item.price, item.current_period_start, subscription.billing_cycle_anchor);
  const invoice = draftInvoice(account, subscription, "subscription_cycle", item.price.unit_amount);
  if (subscription.pause_collection?.behavior === "keep_as_draft") invoice.auto_advance = false;
  else invoice.automatically_finalizes_at = account.now() + DRAFT_SECONDS;
  account.emit("customer.subscription.updated", subscription);
}
