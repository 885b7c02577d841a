/** What must be true of a cluster once everything has settled, whatever was killed meanwhile. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ListMultipartUploadsCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import mongoose from "mongoose";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import type { Cluster } from "./cluster.ts";
import type { Visitor } from "./visitor.ts";

export interface StoredState {
  readonly jobs: readonly StoredJob[];
  /** Ids of the jobs that the log of usage has. */
  readonly counted: readonly string[];
  readonly tickets: number;
}

export async function readState({ mongodbUri }: Cluster): Promise<StoredState> {
  const client = await new mongoose.mongo.MongoClient(mongodbUri).connect();
  try {
    const database = client.db();
    return {
      jobs: await database.collection<StoredJob>("jobs").find().toArray(),
      counted: (await database.collection<{ _id: string }>("usage").find().toArray()).map(({ _id }) => _id),
      tickets: await database.collection("tickets").countDocuments({ name: "convert" }),
    };
  } finally {
    await client.close();
  }
}

/** Sentences about what is wrong; empty: all is well. */
export async function findFaults(cluster: Cluster, visitors: readonly Visitor[]): Promise<string[]> {
  const stored = await readState(cluster);
  const theirs = new Set(visitors.map(({ deviceId }) => deviceId));
  const state: StoredState = { ...stored, jobs: stored.jobs.filter(({ deviceId }) => theirs.has(deviceId)) };
  return [
    ...faultsOfJobs(state, visitors),
    ...(await faultsOfLists(visitors)),
    ...faultsOfEvents(visitors),
    ...(await faultsOfStorage(cluster, stored)),
    ...(await leftovers(cluster)),
  ];
}

function faultsOfJobs({ jobs, counted, tickets }: StoredState, visitors: readonly Visitor[]): string[] {
  const asked = new Set(visitors.flatMap(({ jobIds }) => [...jobIds]));
  const there = new Set(jobs.map(({ _id }) => _id));
  return [
    ...[...asked].filter((id) => !there.has(id)).map((id) => `job ${id} was taken and is not there`),
    // One more would be a call that was made twice.
    ...jobs.filter(({ _id }) => !asked.has(_id)).map(({ _id }) => `job ${_id} was not asked for`),
    ...jobs
      .filter(({ status }) => status !== "completed")
      .map(({ _id, status, error }) => `job ${_id} is ${status} ${error?.code ?? ""}`),
    ...jobs
      .filter(({ _id }) => counted.filter((id) => id === _id).length !== 1)
      .map(({ _id }) => `job ${_id} was not counted once`),
    ...(tickets === 0 ? [] : [`${tickets} tickets are left`]),
  ];
}

async function faultsOfLists(visitors: readonly Visitor[]): Promise<string[]> {
  const inOrder = (a: string, b: string) => (a < b ? -1 : 1);
  const shown = (jobs: readonly { id: string }[]) =>
    jobs
      .map((job) => JSON.stringify(Object.entries(job).sort(([a], [b]) => inOrder(a, b))))
      .sort(inOrder)
      .join();
  const faults = await Promise.all(
    visitors.map(async (visitor, owner) => {
      const list = await visitor.list();
      return visitor.tabs.flatMap((tab, n) =>
        shown(tab.jobs()) === shown(list)
          ? []
          : [`page ${n} of visitor ${owner} shows other than the database: ${differenceOf(tab.jobs(), list)}`],
      );
    }),
  );
  return faults.flat();
}

function differenceOf(
  shown: readonly { id: string; status: string }[],
  stored: readonly { id: string; status: string }[],
): string {
  const of = (jobs: readonly { id: string; status: string }[]) => new Map(jobs.map((job) => [job.id, job]));
  const [left, right] = [of(shown), of(stored)];
  const id =
    [...left.keys(), ...right.keys()].find((key) => JSON.stringify(left.get(key)) !== JSON.stringify(right.get(key))) ??
    "";
  return `${JSON.stringify(left.get(id))} instead of ${JSON.stringify(right.get(id))}`;
}

function faultsOfEvents(visitors: readonly Visitor[]): string[] {
  return visitors.flatMap(({ jobIds, tabs }, owner) =>
    tabs.flatMap(({ events }, n) => {
      const foreign = events.filter(({ id }) => !jobIds.has(id));
      // The same completion may be told twice after a connection was taken up again; two different ones may not.
      const ends = Map.groupBy(
        events.filter(({ status }) => status === "completed"),
        ({ id }) => id,
      );
      const twice = [...ends].filter(([, versions]) => new Set(versions.map(({ attempt }) => attempt)).size > 1);
      return [
        ...foreign.map(({ id }) => `page ${n} of visitor ${owner} heard of foreign job ${id}`),
        ...twice.map(([id]) => `job ${id} was completed more than once`),
      ];
    }),
  );
}

async function faultsOfStorage({ minio, bucket }: Cluster, { jobs }: StoredState): Promise<string[]> {
  const stored: string[] = [];
  for await (const page of paginateListObjectsV2({ client: minio.client }, { Bucket: bucket }))
    for (const { Key = "" } of page.Contents ?? []) stored.push(Key.replace(/^files\//, ""));
  const { Uploads: unfinished = [] } = await minio.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  const named = new Set(
    jobs.flatMap(({ fileKey, thumbnailKey }) => [fileKey, thumbnailKey].filter((key) => key !== undefined)),
  );
  return [
    ...stored.filter((key) => !named.has(key)).map((key) => `file ${key} is nobody's`),
    ...[...named].filter((key) => !stored.includes(key)).map((key) => `file ${key} is missing`),
    ...unfinished.map(({ Key }) => `the upload of ${Key} was neither finished nor given up`),
  ];
}

/** Temporary folders, and processes that nobody looks after. */
async function leftovers({ webs, workers }: Cluster): Promise<string[]> {
  const folders = await Promise.all(
    [...webs, ...workers].map(async ({ name, pid, dataDir }) => {
      const scratch = join(dataDir, "scratch");
      const owned = (await entriesOf(scratch)).filter((entry) => entry.includes(`-${pid}-`));
      const orphaned = (await entriesOf(scratch)).filter((entry) => !owned.includes(entry));
      const inside = (await Promise.all(owned.map((entry) => entriesOf(join(scratch, entry))))).flat();
      const processes = await processesNaming(scratch);
      return [
        ...[...orphaned, ...inside].map((entry) => `${name} has left ${entry}`),
        ...processes.map((line) => `${name} has left a process: ${line}`),
      ];
    }),
  );
  return folders.flat();
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

async function processesNaming(folder: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry));
  const lines = await Promise.all(
    // It may have ended since it was listed.
    pids.map(async (pid) => (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ")),
  );
  return lines.filter((line) => line.includes(folder));
}
