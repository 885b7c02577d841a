/**
 * A lease in the database: one document that belongs to one process until its time is up, and for
 * longer if the process extends it.
 */
import type { mongo } from "mongoose";
import { isDuplicateKeyError } from "./duplicate-key.ts";

export interface Lease {
  _id: string;
  /** Unique for each process. */
  holder: string;
  until: Date;
  /** Describes the holder to other processes. */
  about?: Record<string, unknown>;
}

type Leases = mongo.Collection<Lease>;
type Held = Pick<Lease, "_id" | "holder">;

/** @returns whether the caller now holds the lease, for `leaseMs`; false while another process holds it */
export async function acquireLease(
  leases: Leases,
  { _id, ...fields }: Omit<Lease, "until">,
  leaseMs: number,
): Promise<boolean> {
  try {
    await leases.updateOne(
      { _id, until: { $lte: new Date() } },
      { $set: { ...fields, until: leaseEnd(leaseMs) } },
      { upsert: true },
    );
    return true;
  } catch (error) {
    // Another process holds the lease.
    if (isDuplicateKeyError(error)) return false;
    throw error;
  }
}

/** @returns false: the lease is no longer the caller's */
export async function renewLease(leases: Leases, { _id, holder }: Held, leaseMs: number): Promise<boolean> {
  const { matchedCount } = await leases.updateOne({ _id, holder }, { $set: { until: leaseEnd(leaseMs) } });
  return matchedCount === 1;
}

/** Ends the lease if the named holder still has it. */
export async function releaseLease(leases: Leases, { _id, holder }: Held): Promise<void> {
  await leases.deleteOne({ _id, holder });
}

function leaseEnd(leaseMs: number): Date {
  return new Date(Date.now() + leaseMs);
}
