/**
 * Which worker makes which file, so that equal requests are converted once: a second worker waits for the first. When
 * a worker dies, its lease ends and another one may take over.
 */
import { Schema, type Connection, type Model, type mongo } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import { LeaseStore } from "../database/lease-store.ts";

export interface ConversionLease {
  /** The key of the conversion. */
  _id: string;
  workerId: string;
  /** A job that waits for the file; its progress is the progress of the file. */
  jobId: string;
  expiresAt: Date;
}

const schema = new Schema<ConversionLease>(
  {
    _id: { type: String, required: true },
    workerId: { type: String, required: true },
    jobId: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  storedIn("makers"),
);
schema.index({ expiresAt: 1 });

export const openConversionLeaseModel = opensModel("ConversionLease", schema);

/** The leases as one worker uses them. */
export class ConversionLeases {
  readonly #model: Model<ConversionLease>;
  readonly #store: LeaseStore<ConversionLease>;
  readonly #workerId: string;
  readonly #leaseMs: number;

  constructor(model: Model<ConversionLease>, { workerId, leaseMs }: ConversionLeaseOptions) {
    this.#model = model;
    this.#workerId = workerId;
    this.#leaseMs = leaseMs;
    this.#store = new LeaseStore(model.collection as unknown as mongo.Collection<ConversionLease>, {
      leaseMs,
      fields: { holder: "workerId", until: "expiresAt" },
    });
  }

  /** @returns null: the lease is the caller's; otherwise the lease of the worker that has it */
  async acquire(conversionKey: string, jobId: string): Promise<ConversionLease | null> {
    for (;;) {
      if (await this.#store.acquire(conversionKey, this.#workerId, { jobId })) return null;
      const current = await this.#store.find(conversionKey);
      if (current && current.jobId !== jobId) return current;
      // The lease is for the caller's own job, which that worker has lost to the caller.
      if (current && (await this.#store.transfer(conversionKey, current.workerId, this.#workerId, { jobId })))
        return null;
      // The lease has just ended or changed hands: try again.
    }
  }

  /** @returns the lease of the worker that makes the file now */
  find(conversionKey: string): Promise<ConversionLease | null> {
    return this.#store.find(conversionKey);
  }

  /** Extends the caller's lease. @param jobId a job that waits for the file now */
  async renew(conversionKey: string, jobId: string): Promise<void> {
    await this.#store.renew(conversionKey, this.#workerId, { jobId });
  }

  /** Ends the caller's lease. */
  async release(conversionKey: string): Promise<void> {
    await this.#store.release(conversionKey, this.#workerId);
  }

  /** Deletes the leases of workers that died. */
  async deleteEnded(): Promise<void> {
    await this.#store.deleteEnded(this.#leaseMs);
  }

  /** Deletes all leases. Called at the start of a process that works alone, when no holder of them can run. */
  async deleteAll(): Promise<void> {
    await this.#model.deleteMany({});
  }
}

interface ConversionLeaseOptions {
  readonly workerId: string;
  readonly leaseMs: number;
}

export async function openConversionLeases(
  connection: Connection,
  options: ConversionLeaseOptions,
): Promise<ConversionLeases> {
  return new ConversionLeases(await openConversionLeaseModel(connection), options);
}
