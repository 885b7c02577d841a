import { randomUUID } from "node:crypto";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import type { Domain } from "../domain.ts";
import { publishJob } from "../jobs/change.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { adoptUsage } from "./usage.ts";
import type { StoredUser } from "./user-model.ts";

/** A person as verified by the identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly firstName?: string;
}

/**
 * Finds the user of an identity or creates it. The jobs and the usage of the anonymous device become the user's.
 * @returns the user with the identity's current email address and name
 */
export async function signIn(domain: Domain, deviceId: string, identity: Identity): Promise<StoredUser> {
  const user = await findOrCreateUser(domain, identity);
  await adoptJobs(domain, deviceId, user._id);
  await adoptUsage(domain, deviceId, user._id);
  return user;
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

function upsertUser(domain: Domain, { issuer, subject, email, firstName }: Identity): Promise<StoredUser | null> {
  const now = new Date();
  const lowerCaseEmail = email.toLowerCase();
  const changes =
    firstName === undefined
      ? { $set: { email: lowerCaseEmail }, $unset: { firstName: 1 } }
      : { $set: { email: lowerCaseEmail, firstName } };
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

/** Gives the device's jobs to the user one by one, and publishes each change. */
async function adoptJobs(domain: Domain, deviceId: string, userId: string): Promise<void> {
  const anonymous = await domain.jobs.find({ deviceId, userId: null }, { _id: 1 }).lean<{ _id: string }[]>();
  for (const { _id } of anonymous) {
    const job = await domain.jobs
      .findOneAndUpdate(
        { _id, deviceId, userId: null },
        { $set: { userId }, $unset: { place: 1 } },
        { returnDocument: "after" },
      )
      .lean<StoredJob>();
    if (!job) continue;
    domain.bus.publish("job:adopted", { id: _id, userId });
    publishJob(domain, job);
  }
}
