/** Selections of links of a user on Pro, for tests below HTTP. */
import { beforeEach } from "vitest";
import type { CreateSelection } from "../../../common/lists.ts";
import { TIERS } from "../../../common/tiers.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import { SLOT_FIELDS } from "../../domain/jobs/change.ts";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import { domainForTests, newViewer } from "./test-domain.ts";

/** Links that are queued at a time. */
export const BATCH = TIERS.pro.batchSize;
/** Two batches of one owner can be active. */
export const ACTIVE_LIMIT = 2 * BATCH;

export const links = (count: number, prefix = "v") =>
  Array.from({ length: count }, (_, index) => `https://video.example/${prefix}${index}`);
export const wish = (count: number, prefix?: string): CreateSelection => ({
  title: "Rain of a year",
  urls: links(count, prefix),
  format: "mp3",
});

/** One database for the tests of a file, with a new user for each test. For the top of a test file. */
export function selectionsForTests() {
  const domain = domainForTests({ activeJobs: { free: 3, pro: ACTIVE_LIMIT } });
  let viewer: Viewer;
  beforeEach(async () => {
    viewer = await signUp("pro@example.org");
  });

  async function signUp(email: string): Promise<Viewer> {
    const { deviceId } = newViewer();
    const user = await signIn(domain, deviceId, { issuer: "https://issuer", subject: email, email });
    await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro", grantedTier: "pro" } });
    return { deviceId, userId: user._id, email, tier: "pro" };
  }

  const jobsOf = (batchId: string) => domain.jobs.find({ batchId }).sort({ createdAt: 1 }).lean<StoredJob[]>();
  const selectionOf = (batchId: string) => domain.selections.findById(batchId).lean();

  /** Stores that the jobs are completed, all at once. */
  async function complete(jobs: readonly StoredJob[]): Promise<void> {
    const ids = jobs.map(({ _id }) => _id);
    const $set = {
      status: "completed",
      fileSize: 1,
      completedAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    };
    await domain.jobs.updateMany({ _id: { $in: ids } }, { $set, $unset: SLOT_FIELDS });
  }

  /** Completes jobs of the batch until so many are active. */
  async function completeUntil(batchId: string, active: number): Promise<void> {
    const open = (await jobsOf(batchId)).filter(({ status }) => status === "queued");
    await complete(open.slice(0, open.length - active));
  }

  return {
    domain,
    get viewer(): Viewer {
      return viewer;
    },
    signUp,
    jobsOf,
    selectionOf,
    complete,
    completeUntil,
  };
}
