/** One at a time at the checkout of one account, across tabs and processes. */
import { randomUUID } from "node:crypto";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import type { BillingAccount } from "./account-model.ts";
import type { Billing } from "./billing.ts";
import { PaymentProviderError } from "./provider/stripe-client.ts";

/** Longer than everything a checkout asks of the provider may take, each with its tries. */
const LEASE_MS = 2 * 60 * 1_000;
/** How long the second tab waits for the first, and how often it looks. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 40;

/** Makes the account's record on first contact. */
export async function openAccount(billing: Billing, userId: string): Promise<void> {
  try {
    await billing.accounts.updateOne(
      { _id: userId },
      { $setOnInsert: { createdAt: new Date() } },
      { upsert: true, setDefaultsOnInsert: true },
    );
  } catch (error) {
    // The other of two first contacts has made it.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/** @throws PaymentProviderError when whoever is there does not come to an end */
export async function withLease<T>(
  billing: Billing,
  userId: string,
  task: (account: BillingAccount) => Promise<T>,
): Promise<T> {
  const leaseId = randomUUID();
  const until = Date.now() + PATIENCE_MS;
  let account: BillingAccount | null = null;
  while (account === null) {
    account = await billing.accounts
      .findOneAndUpdate(
        { _id: userId, closedAt: null, leaseUntil: { $lte: new Date() } },
        { $set: { leaseId, leaseUntil: new Date(Date.now() + LEASE_MS) } },
        { returnDocument: "after" },
      )
      .lean<BillingAccount>();
    if (account !== null) break;
    if (Date.now() > until)
      throw new PaymentProviderError("payment_provider", new Error(`the checkout of ${userId} stays taken`));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  try {
    return await task(account);
  } finally {
    await billing.accounts.updateOne({ _id: userId, leaseId }, { $set: { leaseId: null, leaseUntil: new Date(0) } });
  }
}
