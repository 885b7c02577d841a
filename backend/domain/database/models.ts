/** All models of the database, for the server, for `npm run migrate` and for the test of indexes. */
import type { Connection } from "mongoose";
import { openBillingAccountModel } from "../billing/account-model.ts";
import { openBillingEventModel } from "../billing/events/event-model.ts";
import { openFeedModel } from "../feeds/feed-model.ts";
import { openFileRemovalModel } from "../jobs/file-removals.ts";
import { openFollowModel } from "../follows/follow-model.ts";
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
import type { Billing } from "../billing/billing.ts";
import type { Domain } from "../domain.ts";
import { openWebhookModels } from "../webhooks/webhook-model.ts";

export type Models = Awaited<ReturnType<typeof openModels>>;

/**
 * Opens all models and creates their missing indexes. Other processes may read and write meanwhile.
 * @returns what domain and billing store
 */
export async function openModels(connection: Connection) {
  // For its indexes: conversion-leases.ts opens it, too.
  await openConversionLeaseModel(connection);
  const stored = {
    jobs: await openJobModel(connection),
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    tokens: await openTokenModel(connection),
    feeds: await openFeedModel(connection),
    usage: await openUsageModel(connection),
    tombstones: await openTombstoneModel(connection),
    fileRemovals: await openFileRemovalModel(connection),
    selections: await openSelectionModel(connection),
    follows: await openFollowModel(connection),
    blockRecords: await openBlockModels(connection),
    operatorRecords: await openOperatorModels(connection),
    webhookRecords: await openWebhookModels(connection),
  } satisfies Partial<Domain>;
  const billing = {
    accounts: await openBillingAccountModel(connection),
    events: await openBillingEventModel(connection),
    users: stored.users,
  } satisfies Partial<Billing>;
  return { stored, billing };
}
