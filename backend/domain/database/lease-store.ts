/**
 * The one lease of the database: it belongs to one holder until its time is up, and for longer if the holder renews
 * it. Each write names the holder (fencing), so that one that lost its lease changes nothing.
 *
 * Used by migrations/migrate.ts, jobs/conversion-leases.ts, billing/checkout/checkout-lease.ts and, outside the domain,
 * runtime/process-claim.ts. A job's own lease is not kept here: it changes together with the job's status and is fenced
 * by the attempt instead of the holder (jobs/change.ts).
 */
import type { mongo } from "mongoose";
import { isDuplicateKeyError } from "./duplicate-key.ts";

/** A lease that is a document of its own, under the usual field names. */
export interface Lease {
  _id: string;
  /** Unique for each process. */
  holder: string;
  until: Date;
  /** Describes the holder to other processes. */
  about?: Record<string, unknown>;
}

export interface LeaseStoreOptions<Stored> {
  readonly leaseMs: number;
  /** Stored fields with the holder's name and with the end of the lease (a date). */
  readonly fields: { readonly holder: keyof Stored & string; readonly until: keyof Stored & string };
  /**
   * The lease is part of a document that exists before and after it; only documents that match this condition can be
   * leased. Without it each lease is a document of its own, made by `acquire` and deleted by `release`.
   */
  readonly partOf?: mongo.Filter<Stored>;
}

export class LeaseStore<Stored extends { _id: string }> {
  readonly #collection: mongo.Collection<Stored>;
  readonly #options: LeaseStoreOptions<Stored>;

  constructor(collection: mongo.Collection<Stored>, options: LeaseStoreOptions<Stored>) {
    this.#collection = collection;
    this.#options = options;
  }

  /**
   * @param values stored with the lease
   * @returns the stored lease, now the caller's for `leaseMs`; null while another holder has it
   */
  async acquire(_id: string, holder: string, values: Partial<Stored> = {}): Promise<Stored | null> {
    const { fields, partOf } = this.#options;
    const { $gt: now, $lte: furthest } = this.running();
    const hasEnded = { $or: [{ [fields.until]: { $lte: now } }, { [fields.until]: { $gt: furthest } }] };
    try {
      const acquired = await this.#collection.findOneAndUpdate(
        { ...partOf, ...hasEnded, _id } as mongo.Filter<Stored>,
        this.#set({ ...values, [fields.holder]: holder, [fields.until]: this.#leaseEnd() }),
        { upsert: partOf === undefined, returnDocument: "after" },
      );
      return acquired as Stored | null;
    } catch (error) {
      // The document is there, so the lease has not ended yet or another process was faster.
      if (isDuplicateKeyError(error)) return null;
      throw error;
    }
  }

  /**
   * @param values stored with the lease
   * @returns false: the lease is no longer the caller's
   */
  async renew(_id: string, holder: string, values: Partial<Stored> = {}): Promise<boolean> {
    return this.#write(_id, holder, { ...values, [this.#options.fields.until]: this.#leaseEnd() });
  }

  /** Ends the lease if the named holder still has it. */
  async release(_id: string, holder: string): Promise<void> {
    const { fields, partOf } = this.#options;
    if (partOf) await this.#write(_id, holder, { [fields.holder]: null, [fields.until]: new Date(0) });
    else await this.#collection.deleteOne(this.#heldBy(_id, holder));
  }

  /**
   * Gives the lease of one holder to another, for `leaseMs`.
   * @param condition what else the stored lease must match
   * @returns false: the lease was not as expected, and nothing has changed
   */
  async transfer(_id: string, from: string, to: string, condition: Partial<Stored> = {}): Promise<boolean> {
    const { fields } = this.#options;
    return this.#write(_id, from, { [fields.holder]: to, [fields.until]: this.#leaseEnd() }, condition);
  }

  /** @returns the lease if it has not ended */
  async find(_id: string): Promise<Stored | null> {
    const filter = { _id, [this.#options.fields.until]: this.running() };
    return (await this.#collection.findOne(filter as mongo.Filter<Stored>)) as Stored | null;
  }

  /**
   * @returns a condition on the end of a lease: it has not ended. One that ends much later than a lease can was given
   * before the clock was set back; its holder renews it under the new time, if it lives.
   */
  running(): { readonly $gt: Date; readonly $lte: Date } {
    const nowMs = Date.now();
    return { $gt: new Date(nowMs), $lte: new Date(nowMs + 2 * this.#options.leaseMs) };
  }

  /** Deletes leases that ended at least so long ago; for leases that are documents of their own. */
  async deleteEnded(endedForMs: number): Promise<void> {
    const filter = { [this.#options.fields.until]: { $lte: new Date(Date.now() - endedForMs) } };
    await this.#collection.deleteMany(filter as mongo.Filter<Stored>);
  }

  async #write(_id: string, holder: string, changes: object, condition: object = {}): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { ...condition, ...this.#heldBy(_id, holder) },
      this.#set(changes),
    );
    return matchedCount === 1;
  }

  #heldBy(_id: string, holder: string): mongo.Filter<Stored> {
    return { _id, [this.#options.fields.holder]: holder } as mongo.Filter<Stored>;
  }

  #set(changes: object): mongo.UpdateFilter<Stored> {
    return { $set: changes } as mongo.UpdateFilter<Stored>;
  }

  #leaseEnd(): Date {
    return new Date(Date.now() + this.#options.leaseMs);
  }
}
