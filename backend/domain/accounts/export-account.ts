import type { Domain } from "../domain.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { presentJob } from "../jobs/present.ts";
import type { StoredSession } from "./sessions.ts";
import type { StoredUser } from "./user-model.ts";

/** @returns all stored data about a user, without secrets such as session ids */
export async function exportAccount(domain: Domain, userId: string): Promise<Record<string, unknown>> {
  const user = await domain.users.findById(userId).lean<StoredUser>();
  const jobs = await domain.jobs.find({ userId }).sort({ createdAt: -1 }).lean<StoredJob[]>();
  const sessions = await domain.sessions.find({ userId, endedAt: null }).lean<StoredSession[]>();
  const hookExports = await Promise.all(domain.accountHooks.map(async (hook) => (await hook.export?.(userId)) ?? {}));
  return {
    exportedAt: new Date().toISOString(),
    user: user && {
      id: user._id,
      issuer: user.issuer,
      subject: user.subject,
      email: user.email,
      firstName: user.firstName,
      tier: user.tier,
      grantedTier: user.grantedTier,
      tierChangedAt: user.tierChangedAt,
      createdAt: user.createdAt,
    },
    conversions: jobs.map((job) => ({
      ...presentJob(job),
      sourceUrl: job.sourceUrl,
      deviceId: job.deviceId,
      tier: job.tier,
    })),
    sessions: sessions.map(({ deviceId, createdAt, expiresAt }) => ({ deviceId, createdAt, expiresAt })),
    ...Object.assign({}, ...hookExports),
  };
}
