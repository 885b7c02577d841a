/** All models of the database, for the server, for `npm run migrate` and for the test of indexes. */
import type { Connection } from "mongoose";
import { openBillingAccountModel } from "../billing/account-model.ts";
import { openBillingEventModel } from "../billing/events/event-model.ts";
import { openFileRemovalModel } from "../jobs/file-removals.ts";
import { openBlockModels } from "../blocks/block-model.ts";
import { openJobModel } from "../jobs/job-model.ts";
import { openSelectionModel } from "../jobs/selection-model.ts";
import { openConversionLeaseModel } from "../jobs/conversion-leases.ts";
import { openSessionModel } from "../accounts/sessions.ts";
import { openTokenModel } from "../accounts/token-model.ts";
import { openTombstoneModel } from "../accounts/tombstones.ts";
import { openUsageModel } from "../accounts/usage-model.ts";
import { openUserModel } from "../accounts/user-model.ts";
import { openOperatorModels } from "../operator/operator-models.ts";
import type { Domain } from "../domain.ts";
import { openWebhookModels } from "../webhooks/webhook-model.ts";

export type Models = Awaited<ReturnType<typeof openModels>>;

/** Opens all models and creates their missing indexes. Other processes may read and write meanwhile. */
export async function openModels(connection: Connection) {
  const blocks = await openBlockModels(connection);
  const operator = await openOperatorModels(connection);
  const webhooks = await openWebhookModels(connection);
  return {
    jobs: await openJobModel(connection),
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    tokens: await openTokenModel(connection),
    usage: await openUsageModel(connection),
    tombstones: await openTombstoneModel(connection),
    billingAccounts: await openBillingAccountModel(connection),
    billingEvents: await openBillingEventModel(connection),
    fileRemovals: await openFileRemovalModel(connection),
    selections: await openSelectionModel(connection),
    blocks: blocks.entries,
    blockLog: blocks.log,
    blockVersions: blocks.versions,
    operatorLog: operator.log,
    operatorSwitches: operator.switches,
    webhooks: webhooks.webhooks,
    webhookDeliveries: webhooks.deliveries,
    conversionLeases: await openConversionLeaseModel(connection),
  };
}

/** @returns the part of the domain that is stored in the database */
export function storedPartOf(models: Models) {
  return {
    jobs: models.jobs,
    users: models.users,
    sessions: models.sessions,
    tokens: models.tokens,
    usage: models.usage,
    tombstones: models.tombstones,
    fileRemovals: models.fileRemovals,
    selections: models.selections,
    blockRecords: { entries: models.blocks, log: models.blockLog, versions: models.blockVersions },
    operatorRecords: { log: models.operatorLog, switches: models.operatorSwitches },
    webhookRecords: { webhooks: models.webhooks, deliveries: models.webhookDeliveries },
  } satisfies Partial<Domain>;
}
