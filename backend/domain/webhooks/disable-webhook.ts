import type { DisabledReason } from "../../../common/webhook-calls.ts";
import type { Domain } from "../domain.ts";
import { HEALTHY } from "./webhook-model.ts";

/** Turns a webhook off, and gives up the messages that wait for it, but not those that come after it is on again. */
export async function disableWebhook(domain: Domain, id: string, reason: DisabledReason): Promise<void> {
  const { webhooks, deliveries } = domain.webhookRecords;
  const now = new Date();
  await webhooks.updateOne({ _id: id }, { $set: { ...HEALTHY, disabledReason: reason }, $unset: { dueAt: 1 } });
  await deliveries.updateMany(
    { webhookId: id, state: "waiting", createdAt: { $lte: now } },
    { $set: { state: "failed" }, $unset: { body: 1, nextTryAt: 1 } },
  );
}
