/** The domain without a server, for deleting accounts in a restored database. */
import type { Connection } from "mongoose";
import type { Config } from "../config/config.ts";
import { BlockList } from "../domain/blocks/block-list.ts";
import { usageAccountHook } from "../domain/accounts/usage.ts";
import { billingAccountHook } from "../domain/billing/account-hook.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { openModels } from "../domain/database/models.ts";
import type { Domain } from "../domain/domain.ts";
import { SILENT_JOURNAL } from "../domain/jobs/job-journal.ts";
import { webhookAccountHook } from "../domain/webhooks/webhooks.ts";
import type { FileStore } from "../storage/file-store.ts";

/** Creates missing collections and indexes. */
export async function openRestoredDomain(connection: Connection, config: Config, store: FileStore): Promise<Domain> {
  const { stored, billing: models } = await openModels(connection);
  const billing = billingAccountHook({
    ...models,
    // The server finds accounts that are due when it starts, and then deletes the customer at the provider.
    queue: { enqueue: () => Promise.resolve() },
    payment: null,
    graceMs: config.graceMs,
    reconcileMs: config.settings.payment.reconcileMs,
    now: () => new Date(),
  });
  return {
    ...stored,
    blocks: new BlockList(),
    accountHooks: [usageAccountHook(stored.usage), billing, webhookAccountHook(stored.webhookRecords)],
    bus: createInProcessBus(),
    journal: SILENT_JOURNAL,
    // Tickets are not restored. One that another tool has restored does nothing without a waiting job.
    tickets: {
      enqueue: () => Promise.resolve(),
      remove: () => Promise.resolve(),
      withoutTicket: () => Promise.resolve([]),
      deleteDone: () => Promise.resolve(0),
    },
    webhookQueue: { enqueue: () => Promise.resolve() },
    videoHosts: config.env.VIDEO_HOSTS,
    limits: config.settings.domain,
    isStored: async (key) => (await store.stat(key)) !== null,
    removeFile: (key) => store.remove(key),
  };
}
