/** Webhooks: addresses of users' own programs, which get a message when a job of the account has ended. */
import { randomBytes, randomUUID } from "node:crypto";
import { UserError } from "../../../common/errors.ts";
import { TIERS } from "../../../common/tiers.ts";
import {
  SHOWN_DELIVERIES,
  type CreatedWebhook,
  type CreateWebhook,
  type Webhook,
  type WebhookDelivery,
} from "../../../common/webhook-calls.ts";
import type { StoredUser } from "../accounts/user-model.ts";
import { untilKeyIsFree } from "../database/duplicate-key.ts";
import { insertInSlot, type SlotLimit } from "../database/numbered-slots.ts";
import type { AccountHook, Domain } from "../domain.ts";
import { parseWebhookAddress } from "./address.ts";
import { HEALTHY, type StoredDelivery, type StoredWebhook, type WebhookModels } from "./webhook-model.ts";

/** Tells people and secret scanners what the text is. */
const SECRET_PREFIX = "tapedeck_webhook_";
const SECRET_BYTES = 32;

/**
 * Makes a webhook.
 * @returns the webhook with its secret, which cannot be read again
 * @throws UserError sign_in_required, bad_request; pro_required or conflict if the account has as many as its plan
 *   allows; unavailable_now
 */
export async function createWebhook(domain: Domain, userId: string, { url }: CreateWebhook): Promise<CreatedWebhook> {
  const user = await domain.users.findOne({ _id: userId, deletedAt: null }).lean<StoredUser>();
  if (!user) throw new UserError("sign_in_required");
  const address = parseWebhookAddress(url, domain.privateWebhookHosts);
  const stored: StoredWebhook = {
    _id: randomUUID(),
    userId,
    url: address,
    secret: SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64url"),
    createdAt: new Date(),
    ...HEALTHY,
    disabledReason: null,
  };
  await untilKeyIsFree(() => insertInSlot(domain.webhookRecords.webhooks, stored, limitOf(user)));
  return { ...presentWebhook(stored, []), secret: stored.secret };
}

function limitOf({ tier }: StoredUser): SlotLimit {
  return {
    most: TIERS[tier].maxWebhooks,
    refusal: (count) =>
      tier === "free"
        ? new UserError("pro_required", "The free plan has one webhook. Remove it first, or get Pro for more.")
        : new UserError("conflict", `You have ${count} webhooks already. Remove one first.`),
  };
}

/** @returns the user's webhooks with their last messages, newest first */
export async function listWebhooks(domain: Domain, userId: string): Promise<Webhook[]> {
  const { webhooks } = domain.webhookRecords;
  const stored = await webhooks.find({ userId }).sort({ createdAt: -1 }).lean<StoredWebhook[]>();
  return Promise.all(stored.map(async (webhook) => presentWebhook(webhook, await lastDeliveries(domain, webhook))));
}

async function lastDeliveries(domain: Domain, { _id }: StoredWebhook): Promise<StoredDelivery[]> {
  const { deliveries } = domain.webhookRecords;
  return deliveries.find({ webhookId: _id }).sort({ createdAt: -1 }).limit(SHOWN_DELIVERIES).lean<StoredDelivery[]>();
}

/**
 * Removes a webhook with its messages, also those that wait.
 * @throws UserError not_found
 */
export async function removeWebhook(domain: Domain, userId: string, id: string): Promise<void> {
  const { deletedCount } = await domain.webhookRecords.webhooks.deleteOne({ _id: id, userId });
  if (deletedCount === 0) throw notFound();
  // One that is written meanwhile finds no webhook any more, and goes with the old ones.
  await domain.webhookRecords.deliveries.deleteMany({ webhookId: id });
}

/**
 * Turns a webhook on again that was turned off because its program did not take messages.
 * @throws UserError not_found
 */
export async function enableWebhook(domain: Domain, userId: string, id: string): Promise<Webhook> {
  const webhook = await domain.webhookRecords.webhooks
    .findOneAndUpdate({ _id: id, userId }, { $set: { ...HEALTHY, disabledReason: null } }, { returnDocument: "after" })
    .lean<StoredWebhook>();
  if (!webhook) throw notFound();
  return presentWebhook(webhook, await lastDeliveries(domain, webhook));
}

/**
 * @returns a webhook of the user
 * @throws UserError not_found
 */
export async function findWebhook(domain: Domain, userId: string, id: string): Promise<StoredWebhook> {
  const webhook = await domain.webhookRecords.webhooks.findOne({ _id: id, userId }).lean<StoredWebhook>();
  if (!webhook) throw notFound();
  return webhook;
}

function notFound(): UserError {
  return new UserError("not_found", "This webhook does not exist any more.");
}

/** @returns the webhook without its secret */
function presentWebhook(webhook: StoredWebhook, deliveries: readonly StoredDelivery[]): Webhook {
  const { _id, url, createdAt, disabledReason } = webhook;
  return {
    id: _id,
    url,
    createdAt: createdAt.toISOString(),
    disabledReason,
    deliveries: deliveries.map((delivery) => presentDelivery(delivery, webhook)),
  };
}

export function presentDelivery(
  { messageId, type, createdAt, state, tries, status, problem, nextTryAt }: StoredDelivery,
  { pausedUntil }: Pick<StoredWebhook, "pausedUntil">,
): WebhookDelivery {
  // After a failure all messages of the webhook wait.
  const next = nextTryAt && new Date(Math.max(nextTryAt.getTime(), pausedUntil?.getTime() ?? 0));
  return {
    id: messageId,
    type,
    createdAt: createdAt.toISOString(),
    state,
    tries,
    status,
    problem,
    nextTryAt: next?.toISOString() ?? null,
  };
}

/** The part of webhooks in the deletion and the export of an account. */
export function webhookAccountHook({ webhooks, deliveries }: WebhookModels): AccountHook {
  return {
    async onDeleted(userId) {
      await webhooks.deleteMany({ userId });
      await deliveries.deleteMany({ userId });
    },
    async export(userId) {
      const owned = await webhooks.find({ userId }).lean<StoredWebhook[]>();
      const sent = await deliveries.find({ userId }).lean<StoredDelivery[]>();
      return {
        webhooks: owned.map((webhook) =>
          presentWebhook(
            webhook,
            sent.filter(({ webhookId }) => webhookId === webhook._id),
          ),
        ),
      };
    },
  };
}
