/**
 * Sends the messages of a webhook, one after the other and oldest first. After a failure all of them wait, and another one
 * comes first at the next try, so that one message that the program cannot read does not hold the others back.
 */
import { randomUUID } from "node:crypto";
import {
  SIGNATURE_HEADER,
  type DeliveryProblem,
  type DeliveryState,
  type TestMessage,
  type WebhookDelivery,
} from "../../../common/webhook-calls.ts";
import { WEBHOOK_LOG_DAYS } from "../../../common/retention-policy.ts";
import type { Domain } from "../domain.ts";
import { doublingDelay } from "../../../common/doubling-delay.ts";
import type { DeliveryTiming } from "./delivery-timing.ts";
import { disableWebhook } from "./disable-webhook.ts";
import { signMessage } from "./signature.ts";
import { deliveryOf, HEALTHY, type StoredDelivery, type StoredWebhook } from "./webhook-model.ts";
import { presentDelivery } from "./webhooks.ts";

export interface OutgoingMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The HTTP status of the answer, or why there is none. */
export type SendResult = { readonly status: number } | { readonly problem: DeliveryProblem };

/**
 * Sends a message without following redirects.
 * @throws `signal.reason` when aborted
 */
export type SendMessage = (message: OutgoingMessage, signal?: AbortSignal) => Promise<SendResult>;

/** Longer than a try, so that no other process sends the message meanwhile. */
const CLAIM_MARGIN_MS = 20_000;
/** Then the webhooks of others come first. */
const MESSAGES_PER_RUN = 20;
/** If a webhook is not handled within this time after its messages were due, its queue entry was lost. */
const LOST_ENTRY_MS = 30_000;
/** Ended messages that the log keeps of each webhook. */
const LOG_LENGTH = 50;
const ENDED: readonly DeliveryState[] = ["delivered", "failed"];
const GONE = 410;
const LOG_MS = WEBHOOK_LOG_DAYS * 24 * 60 * 60 * 1_000;

/** How messages are sent. */
export interface Delivering {
  readonly send: SendMessage;
  readonly timing: DeliveryTiming;
  /** Stops between or during tries; a message whose try was cut off is sent again. */
  readonly signal: AbortSignal;
}

const isTaken = (result: SendResult): boolean => "status" in result && result.status >= 200 && result.status < 300;

/** Sends the messages of a webhook that are due, and queues it for those that are not. Can be repeated. */
export async function deliverMessages(domain: Domain, webhookId: string, delivering: Delivering): Promise<void> {
  const { webhooks } = domain.webhookRecords;
  for (let count = 0; count < MESSAGES_PER_RUN && !delivering.signal.aborted; count += 1) {
    const webhook = await webhooks.findOne({ _id: webhookId, disabledReason: null }).lean<StoredWebhook>();
    if (!webhook) return;
    if (webhook.pausedUntil && webhook.pausedUntil.getTime() > Date.now())
      return planNext(domain, webhook, webhook.pausedUntil);
    const delivery = await claim(domain, webhookId, delivering.timing);
    if (!delivery) return planNext(domain, webhook, await findNext(domain, webhookId));
    const goesOn = await tryOnce(domain, webhook, delivery, delivering);
    if (!goesOn) return;
  }
  await enqueue(domain, webhookId);
}

function enqueue(domain: Domain, id: string, at?: Date): Promise<void> {
  return domain.webhookQueue.enqueue({ kind: "webhook", id }, at && { runAtMs: at.getTime() });
}

async function claim(domain: Domain, webhookId: string, timing: DeliveryTiming): Promise<StoredDelivery | null> {
  const now = new Date();
  return domain.webhookRecords.deliveries
    .findOneAndUpdate(
      { webhookId, state: "waiting", nextTryAt: { $lte: now } },
      { $inc: { tries: 1 }, $set: { nextTryAt: new Date(now.getTime() + timing.timeoutMs + CLAIM_MARGIN_MS) } },
      { sort: { nextTryAt: 1 }, returnDocument: "after" },
    )
    .lean<StoredDelivery>();
}

async function findNext(domain: Domain, webhookId: string): Promise<Date | undefined> {
  const next = await domain.webhookRecords.deliveries
    .findOne({ webhookId, state: "waiting" }, { nextTryAt: 1 })
    .sort({ nextTryAt: 1 })
    .lean<Pick<StoredDelivery, "nextTryAt">>();
  return next?.nextTryAt;
}

/** @param next when the webhook's next message is due; undefined if none waits */
async function planNext(domain: Domain, { _id, dueAt }: StoredWebhook, next: Date | undefined): Promise<void> {
  // With the time, because another message may have come meanwhile.
  const unchanged = { _id, dueAt: dueAt ?? null };
  await domain.webhookRecords.webhooks.updateOne(
    unchanged,
    next ? { $set: { dueAt: next } } : { $unset: { dueAt: 1 } },
  );
  if (next) await enqueue(domain, _id, next);
}

/** @returns whether the next message may be sent at once */
async function tryOnce(
  domain: Domain,
  webhook: StoredWebhook,
  delivery: StoredDelivery,
  { send, timing, signal }: Delivering,
): Promise<boolean> {
  let result: SendResult;
  try {
    result = await send(sign(webhook, delivery.body ?? ""), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await giveBack(domain, delivery);
    return false;
  }
  if (isTaken(result)) {
    await endDelivery(domain, delivery, "delivered", result);
    const { _id } = webhook;
    if (webhook.failures > 0) await domain.webhookRecords.webhooks.updateOne({ _id }, { $set: HEALTHY });
    domain.bus.publish("webhook:tried", { result: "delivered" });
    return true;
  }
  await recordFailure(domain, webhook, delivery, { result, timing });
  return false;
}

/** After a stop of this process: the try does not count, and another process begins at once. */
async function giveBack(domain: Domain, { _id, webhookId }: StoredDelivery): Promise<void> {
  const nextTryAt = new Date();
  await domain.webhookRecords.deliveries.updateOne(
    { _id, state: "waiting" },
    { $inc: { tries: -1 }, $set: { nextTryAt } },
  );
  await enqueue(domain, webhookId);
}

async function recordFailure(
  domain: Domain,
  webhook: StoredWebhook,
  delivery: StoredDelivery,
  { result, timing }: { readonly result: SendResult; readonly timing: DeliveryTiming },
): Promise<void> {
  const { firstDelayMs, maxDelayMs, giveUpMs } = timing;
  const nowMs = Date.now();
  const endsAtMs = delivery.createdAt.getTime() + giveUpMs;
  const isGone = "status" in result && result.status === GONE;
  const isGivenUp = isGone || nowMs >= endsAtMs;
  if (isGivenUp) await endDelivery(domain, delivery, "failed", result);
  else await postpone(domain, delivery, result, Math.min(endsAtMs, nowMs + delayOf(delivery.tries - 1)));
  const failingSince = webhook.failingSince ?? beginningOf(delivery, timing, nowMs);
  // All these failures may be of one message that the program cannot read. So the webhook stays on until a message is
  // given up that failed for its whole time too.
  const hasTakenNothing = isGivenUp && failingSince.getTime() + giveUpMs <= nowMs;
  if (isGone) await disableWebhook(domain, webhook._id, "gone");
  else if (hasTakenNothing) await disableWebhook(domain, webhook._id, "failing");
  else await pause(domain, webhook, { failingSince, pausedUntil: new Date(nowMs + delayOf(webhook.failures)) });
  domain.bus.publish("webhook:tried", { result: isGivenUp ? "given_up" : "failed" });

  function delayOf(failures: number): number {
    return doublingDelay(failures, firstDelayMs, maxDelayMs);
  }
}

/**
 * Failures in a row begin after the last success, and not with their message: it may have failed before that success,
 * or have waited while this server was off. A message that is tried as soon as it is made counts from then, so that the
 * webhook is turned off when that message is given up.
 * @returns since when the webhook takes nothing, if this try failed and the one before did not
 */
function beginningOf({ tries, createdAt }: StoredDelivery, { timeoutMs }: DeliveryTiming, nowMs: number): Date {
  const isNew = tries === 1 && nowMs - createdAt.getTime() <= timeoutMs + CLAIM_MARGIN_MS;
  return isNew ? createdAt : new Date(nowMs);
}

async function postpone(domain: Domain, { _id }: StoredDelivery, result: SendResult, nextTryMs: number): Promise<void> {
  await domain.webhookRecords.deliveries.updateOne(
    { _id, state: "waiting" },
    { $set: { ...fieldsOf(result), nextTryAt: new Date(nextTryMs) } },
  );
}

async function pause(
  domain: Domain,
  { _id }: StoredWebhook,
  { failingSince, pausedUntil }: { readonly failingSince: Date; readonly pausedUntil: Date },
): Promise<void> {
  await domain.webhookRecords.webhooks.updateOne(
    { _id },
    { $inc: { failures: 1 }, $set: { failingSince, pausedUntil, dueAt: pausedUntil } },
  );
  await enqueue(domain, _id, pausedUntil);
}

function fieldsOf(result: SendResult): Pick<StoredDelivery, "status" | "problem"> {
  return "status" in result ? { status: result.status, problem: null } : { status: null, problem: result.problem };
}

async function endDelivery(
  domain: Domain,
  { _id, webhookId }: StoredDelivery,
  state: "delivered" | "failed",
  result: SendResult,
): Promise<void> {
  await domain.webhookRecords.deliveries.updateOne(
    { _id },
    { $set: { ...fieldsOf(result), state }, $unset: { body: 1, nextTryAt: 1 } },
  );
  await shortenLog(domain, webhookId);
}

/** Deletes the oldest ended messages of a webhook beyond those that the log keeps. */
async function shortenLog(domain: Domain, webhookId: string): Promise<void> {
  const { deliveries } = domain.webhookRecords;
  const ended = { webhookId, state: { $in: ENDED } };
  const [oldest] = await deliveries
    .find(ended, { createdAt: 1 })
    .sort({ createdAt: -1 })
    .skip(LOG_LENGTH)
    .limit(1)
    .lean<Pick<StoredDelivery, "createdAt">[]>();
  if (oldest) await deliveries.deleteMany({ ...ended, createdAt: { $lte: oldest.createdAt } });
}

/**
 * Sends a message at once that says that it is a test, also where the webhook is off. It is not repeated.
 * @returns what came of it, which is in the log too
 */
export async function sendTest(domain: Domain, webhook: StoredWebhook, send: SendMessage): Promise<WebhookDelivery> {
  const createdAt = new Date();
  const message: TestMessage = { id: randomUUID(), type: "test", createdAt: createdAt.toISOString() };
  const result = await send(sign(webhook, JSON.stringify(message)));
  const delivery: StoredDelivery = {
    ...deliveryOf(message, webhook),
    createdAt,
    state: isTaken(result) ? "delivered" : "failed",
    tries: 1,
    ...fieldsOf(result),
  };
  await domain.webhookRecords.deliveries.create(delivery);
  await shortenLog(domain, webhook._id);
  return presentDelivery(delivery, webhook);
}

function sign({ url, secret }: StoredWebhook, body: string): OutgoingMessage {
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Tapedeck",
    [SIGNATURE_HEADER]: signMessage(body, secret, Date.now()),
  };
  return { url, body, headers };
}

/**
 * Claims webhooks whose queue entry was lost. A claimed one is not returned again for 30 s.
 * @returns ids of at most 100 webhooks
 */
export async function claimLostWebhooks(domain: Domain, now: Date = new Date()): Promise<string[]> {
  const { webhooks } = domain.webhookRecords;
  const lost = await webhooks
    .find({ dueAt: { $lte: new Date(now.getTime() - LOST_ENTRY_MS) } }, { _id: 1 })
    .limit(100)
    .lean<{ _id: string }[]>();
  const ids = lost.map(({ _id }) => _id);
  if (ids.length > 0) await webhooks.updateMany({ _id: { $in: ids } }, { $set: { dueAt: now } });
  return ids;
}

/** @returns number of messages that were deleted from the logs because of their age */
export async function deleteOldDeliveries(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - LOG_MS);
  const { deletedCount } = await domain.webhookRecords.deliveries.deleteMany({ createdAt: { $lte: before } });
  return deletedCount;
}
