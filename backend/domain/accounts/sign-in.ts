import { randomUUID } from "node:crypto";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import type { Domain } from "../domain.ts";
import { ACTIVE } from "../jobs/active-limit.ts";
import { publishJob } from "../jobs/change.ts";
import { changeJob } from "../jobs/find-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { requestKeyOfDevice } from "../jobs/repeated-request.ts";
import { adoptUsage } from "./usage.ts";
import type { StoredUser } from "./user-model.ts";

/** A person as verified by the identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Whether the provider has verified that the address is the person's; absent: it does not say so. */
  readonly isEmailVerified?: boolean;
  readonly firstName?: string;
}

/** The ids of a browser before and after a sign-in. */
export interface DeviceChange {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the user of an identity or creates it. The jobs and the usage of the anonymous device become the user's.
 * @param device the browser; it has the same id afterwards unless a change is given
 * @returns the user with the identity's current email address and name
 */
export async function signIn(domain: Domain, device: string | DeviceChange, identity: Identity): Promise<StoredUser> {
  const user = await findOrCreateUser(domain, identity);
  await adoptDevice(domain, typeof device === "string" ? { from: device, to: device } : device, user._id);
  return user;
}

/** Gives the jobs and the usage of an anonymous device to a user. Can be repeated. */
export async function adoptDevice(domain: Domain, device: DeviceChange, userId: string): Promise<void> {
  await adoptJobs(domain, device, userId);
  await adoptUsage(domain, device.from, userId);
}

async function findOrCreateUser(domain: Domain, identity: Identity): Promise<StoredUser> {
  const user = await upsertUser(domain, identity).catch((error: unknown) => {
    // A simultaneous first sign-in has created the user.
    if (isDuplicateKeyError(error)) return upsertUser(domain, identity);
    throw error;
  });
  if (!user) throw new Error("the upsert returned no user");
  return user;
}

function upsertUser(
  domain: Domain,
  { issuer, subject, email, isEmailVerified = false, firstName }: Identity,
): Promise<StoredUser | null> {
  const now = new Date();
  const address = { email: email.toLowerCase(), isEmailVerified };
  const changes =
    firstName === undefined ? { $set: address, $unset: { firstName: 1 } } : { $set: { ...address, firstName } };
  return domain.users
    .findOneAndUpdate(
      { issuer, subject },
      {
        ...changes,
        $setOnInsert: {
          _id: randomUUID(),
          tier: "free",
          grantedTier: "free",
          subscriptionTier: "free",
          subscriptionRead: 0,
          tierChangedAt: now,
          createdAt: now,
          deletedAt: null,
        },
      },
      { upsert: true, returnDocument: "after" },
    )
    .lean<StoredUser>();
}

/**
 * Gives the device's jobs to the user. Those that a page shows, the active and the newest ones, are given one by one,
 * and each change is published. Under its new id the browser may repeat the requests that made them.
 */
async function adoptJobs(domain: Domain, device: DeviceChange, userId: string): Promise<void> {
  const ofDevice = { deviceId: device.from, userId: null };
  const active = domain.jobs.find({ ...ofDevice, status: { $in: ACTIVE } }, { requestKeyHash: 1 });
  await adoptEach(domain, await active.lean<AdoptedJob[]>(), device, userId);
  const newest = domain.jobs.find(ofDevice, { requestKeyHash: 1 }).sort({ createdAt: -1 });
  await adoptEach(domain, await newest.limit(domain.limits.listLength).lean<AdoptedJob[]>(), device, userId);
  await domain.jobs.updateMany(ofDevice, { $set: { userId }, $unset: { place: 1 } });
}

type AdoptedJob = Pick<StoredJob, "_id" | "requestKeyHash">;

async function adoptEach(
  domain: Domain,
  jobs: readonly AdoptedJob[],
  { from, to }: DeviceChange,
  userId: string,
): Promise<void> {
  for (const { _id, requestKeyHash } of jobs) {
    const mark = requestKeyHash === undefined ? {} : { requestKey: requestKeyOfDevice(to, requestKeyHash) };
    const adopted = { $set: { userId, ...mark }, $unset: { place: 1 } };
    const ofDevice = { _id, deviceId: from, userId: null };
    const job = await changeJob(domain, ofDevice, adopted).catch((error: unknown) => {
      if (!isDuplicateKeyError(error)) throw error;
      // The same request was sent again while the first sign-in changed the keys.
      const unmarked = { place: 1, requestKey: 1, requestKeyHash: 1, requestDigest: 1 } as const;
      return changeJob(domain, ofDevice, { $set: { userId }, $unset: unmarked });
    });
    if (!job) continue;
    domain.bus.publish("job:adopted", { id: _id, userId });
    publishJob(domain, job);
  }
}
