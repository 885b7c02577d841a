/** An upgrade of stored data that is killed in the middle: from each form that an older version has left. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import mongoose, { type Connection } from "mongoose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exactly, SENTENCES } from "../../common/errors.ts";
import { Job } from "../../common/job.ts";
import { REPOSITORY_ROOT } from "../dev/repository.ts";
import { openFaultProxy } from "../dev/stand-ins/fault-proxy.ts";
import { dropDatabase, testDatabaseUri } from "../dev/testing/test-connection.ts";
import { subjectsOf } from "../domain/blocks/subjects.ts";
import { openJobModel } from "../domain/jobs/job-model.ts";
import { parseJob } from "../domain/jobs/find-jobs.ts";
import { presentJob } from "../domain/jobs/present.ts";
import { readDatabaseVersion } from "../domain/migrations/migrate.ts";
import { CODE_VERSION } from "../domain/migrations/migrations.ts";

const COMMAND = [process.execPath, ["backend/commands/migrate.ts"]] as const;
/** So many that a migration writes them in two steps: a thousand, and the rest. */
const COMPLETED_JOBS = 2_000;
const AT = new Date("2026-01-01T12:00:00.000Z");

let uri: string;
let connection: Connection;
beforeEach(async () => {
  uri = testDatabaseUri();
  connection = await mongoose.createConnection(uri).asPromise();
});
afterEach(() => dropDatabase(connection));

const collection = (name: string) => connection.collection<{ _id: string; [field: string]: unknown }>(name);
const options = (MONGODB_URI = uri) => ({ cwd: REPOSITORY_ROOT, env: { ...process.env, MONGODB_URI } });

/** A job as the first version has stored it. */
const firstJob = (id: string, more: object) => ({
  _id: id,
  deviceId: "device",
  userId: null,
  tier: "free",
  sourceUrl: `https://www.youtube.com/watch?v=${id.padEnd(11, "a").slice(0, 11)}`,
  conversionKey: id,
  format: "mp3",
  quality: "128kbps",
  attempt: 1,
  finalAttempt: 3,
  priority: 0,
  progress: 0,
  title: `Title of ${id}`,
  createdAt: AT,
  updatedAt: AT,
  ...more,
});
const NO_SOUND = exactly("no_sound");
const FAILED = [
  firstJob("failed", { status: "failed", error: { code: "private", message: SENTENCES.private } }),
  firstJob("soundless", { status: "failed", error: { code: "unavailable", message: NO_SOUND.message } }),
  firstJob("unknown", { status: "failed", error: { code: "of_old", message: "A sentence of an older version." } }),
];

async function fill(version: number): Promise<void> {
  const done = { status: "completed", progress: 100, fileSize: 5, expiresAt: new Date("2099-01-01T00:00:00.000Z") };
  const completed = Array.from({ length: COMPLETED_JOBS }, (_, n) => firstJob(`job${n}`, { ...done, fileKey: `${n}` }));
  await collection("jobs").insertMany([...FAILED, ...completed]);
  const tiers = version === 0 ? { tier: "pro" } : { tier: "pro", grantedTier: "pro", subscriptionTier: "free" };
  await collection("users").insertOne({ _id: "user", issuer: "i", subject: "s", email: "a@example.com", ...tiers });
  for (let applied = 1; applied <= version; applied += 1)
    await collection("migrations").insertOne({ _id: String(applied), version: applied, name: "", appliedAt: AT });
}

const changedJobs = () => collection("jobs").countDocuments({ subjects: { $exists: true } });

/** What the driver sends to change so many jobs. */
function bytesToChange(count: number): number {
  const { _id, sourceUrl } = firstJob("job1000", {});
  const change = { q: { _id, subjects: { $exists: false } }, u: { $set: { subjects: subjectsOf(sourceUrl) } } };
  return count * mongoose.mongo.BSON.calculateObjectSize(change);
}

/** Ends the command, as a machine without power does, while the second step is on its way to the database. */
async function killInTheMiddle(): Promise<void> {
  const address = new URL(uri);
  const proxy = await openFaultProxy(Number(address.port));
  address.port = String(proxy.port);
  // A database of several servers would tell the address of the first one.
  address.searchParams.set("directConnection", "true");
  const isHeld = proxy.held("up", bytesToChange(1.5 * (COMPLETED_JOBS / 2)));
  const child = spawn(...COMMAND, { ...options(address.href), stdio: "ignore" });
  const ended = once(child, "close");
  await isHeld;
  child.kill("SIGKILL");
  await ended;
  await proxy.close();
}

it.each([0, 1])(
  "is completed by the next start, from version %s on, and failures keep title and reason",
  async (from) => {
    await fill(from);
    await killInTheMiddle();
    const database = connection.getClient().db(connection.name);
    expect(await readDatabaseVersion(database)).toBeLessThan(CODE_VERSION);
    expect(await changedJobs()).toBe(COMPLETED_JOBS / 2);

    // The next process waits until the lock of the killed one ends.
    await collection("migration_locks").updateMany({}, { $set: { until: new Date(0) } });
    await promisify(execFile)(...COMMAND, options());
    expect(await readDatabaseVersion(database)).toBe(CODE_VERSION);
    expect(await changedJobs()).toBe(COMPLETED_JOBS);
    expect(await collection("users").findOne({})).toMatchObject({ grantedTier: "pro", subscriptionTier: "free" });

    const jobs = await openJobModel(connection);
    const shown = async (id: string) => {
      const stored = await jobs.findById(id).lean();
      if (!stored) throw new Error(`the job ${id} is gone`);
      return Job.parse(presentJob(parseJob(stored, expect.unreachable)));
    };
    const last = `job${COMPLETED_JOBS - 1}`;
    expect((await jobs.findById(last))?.subjects).toEqual(subjectsOf(firstJob(last, {}).sourceUrl));
    expect(await shown(last)).toMatchObject({ status: "completed", title: `Title of ${last}`, fileSize: 5 });
    expect(await shown("failed")).toMatchObject({
      title: "Title of failed",
      error: { code: "private", message: SENTENCES.private },
    });
    expect(await shown("soundless")).toMatchObject({
      error: { code: "unavailable", message: NO_SOUND.message, reason: NO_SOUND.reason },
    });
    // A page reads a code that is gone as "internal" and shows its sentence.
    expect(await shown("unknown")).toMatchObject({
      title: "Title of unknown",
      error: { code: "internal", message: "A sentence of an older version." },
    });
  },
);
