/** All models of the database, for the server, for `npm run migrate` and for the test of indexes. */
import type { Connection } from "mongoose";
import { openBillingAccountModel } from "../billing/account-model.ts";
import { openBillingEventModel } from "../billing/events/event-model.ts";
import { openJobModel } from "../jobs/job-model.ts";
import { openConversionLeaseModel } from "../jobs/conversion-leases.ts";
import { openSessionModel } from "../accounts/sessions.ts";
import { openUsageModel } from "../accounts/usage-model.ts";
import { openUserModel } from "../accounts/user-model.ts";

export type Models = Awaited<ReturnType<typeof openModels>>;

/** Opens all models and creates their missing indexes. Other processes may read and write meanwhile. */
export async function openModels(connection: Connection) {
  return {
    jobs: await openJobModel(connection),
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    usage: await openUsageModel(connection),
    billingAccounts: await openBillingAccountModel(connection),
    billingEvents: await openBillingEventModel(connection),
    conversionLeases: await openConversionLeaseModel(connection),
  };
}
