/** One checkout at a time for each account, across tabs and processes. */
import { randomUUID } from "node:crypto";
import type { mongo } from "mongoose";
import { untilFound } from "../../../../common/waiting.ts";
import { isDuplicateKeyError } from "../../database/duplicate-key.ts";
import { LeaseStore } from "../../database/lease-store.ts";
import type { BillingAccount } from "../account-model.ts";
import type { Billing } from "../billing.ts";
import { PaymentProviderError } from "../provider/stripe-client.ts";

/** Longer than all of a checkout's requests to the provider may take, with their retries. */
const LEASE_MS = 2 * 60 * 1_000;
/** How long the second tab waits for the first, and the pause between two tries. */
const PATIENCE_MS = 20_000;
const RETRY_MS = 40;

/** Creates the account's record if it is missing. */
export async function openAccount(billing: Billing, userId: string): Promise<void> {
  try {
    await billing.accounts.updateOne(
      { _id: userId },
      { $setOnInsert: { createdAt: new Date() } },
      { upsert: true, setDefaultsOnInsert: true },
    );
  } catch (error) {
    // Another request has created it at the same moment.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/**
 * Runs the task while no other checkout of the same account runs. The lease is stored in the account's record.
 * @throws PaymentProviderError when another checkout of the account does not end in time
 */
export async function withCheckoutLease<T>(
  billing: Billing,
  userId: string,
  task: (account: BillingAccount) => Promise<T>,
): Promise<T> {
  const leases = new LeaseStore(billing.accounts.collection as unknown as mongo.Collection<BillingAccount>, {
    leaseMs: LEASE_MS,
    fields: { holder: "leaseId", until: "leaseUntil" },
    partOf: { closedAt: null },
  });
  const leaseId = randomUUID();
  const tries = { everyMs: RETRY_MS, timeoutMs: PATIENCE_MS };
  const account = await untilFound(() => leases.acquire(userId, leaseId), tries);
  if (!account) throw new PaymentProviderError("payment_provider", new Error(`the checkout of ${userId} stays taken`));
  try {
    return await task(account);
  } finally {
    await leases.release(userId, leaseId);
  }
}
