/** Checks that must hold for a cluster when everything has settled, whichever parts were killed. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ListMultipartUploadsCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import mongoose from "mongoose";
import type { JobDocument } from "../../domain/jobs/job-model.ts";
import type { Cluster, ClusterPart } from "./cluster.ts";
import { processesOf } from "../product/data-folder.ts";
import type { Visitor } from "../testing/visitor.ts";

export interface StoredState {
  readonly jobs: readonly JobDocument[];
  /** Ids of the jobs in the usage log. */
  readonly counted: readonly string[];
  readonly tickets: number;
}

export async function readState({ mongodbUri }: Pick<Cluster, "mongodbUri">): Promise<StoredState> {
  const client = await new mongoose.mongo.MongoClient(mongodbUri).connect();
  try {
    const database = client.db();
    return {
      jobs: await database.collection<JobDocument>("jobs").find().toArray(),
      counted: (await database.collection<{ _id: string }>("usage").find().toArray()).map(({ _id }) => _id),
      tickets: await database.collection("tickets").countDocuments({ name: "convert" }),
    };
  } finally {
    await client.close();
  }
}

/** @returns sentences about what is wrong; empty when all is well */
export async function findFaults(cluster: Cluster, visitors: readonly Visitor[]): Promise<string[]> {
  const stored = await readState(cluster);
  const deviceIds = new Set(visitors.map(({ deviceId }) => deviceId));
  const state: StoredState = { ...stored, jobs: stored.jobs.filter(({ deviceId }) => deviceIds.has(deviceId)) };
  return [
    ...faultsOfJobs(state, visitors),
    ...(await faultsOfLists(visitors)),
    ...faultsOfEvents(visitors),
    ...(await faultsOfStorage(cluster, stored)),
    ...(await leftovers([...cluster.webs, ...cluster.workers])),
  ];
}

function faultsOfJobs({ jobs, counted, tickets }: StoredState, visitors: readonly Visitor[]): string[] {
  const asked = new Set(visitors.flatMap(({ jobIds }) => [...jobIds]));
  const stored = new Set(jobs.map(({ _id }) => _id));
  return [
    ...[...asked].filter((id) => !stored.has(id)).map((id) => `job ${id} was accepted and is missing`),
    // A job without a call would come from a call that ran twice.
    ...jobs.filter(({ _id }) => !asked.has(_id)).map(({ _id }) => `job ${_id} was not requested`),
    ...jobs
      .filter(({ status }) => status !== "completed")
      .map(({ _id, status, error }) => `job ${_id} is ${status} ${error?.code ?? ""}`),
    ...jobs
      .filter(({ _id }) => counted.filter((id) => id === _id).length !== 1)
      .map(({ _id }) => `job ${_id} was not counted exactly once`),
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
          : [`page ${n} of visitor ${owner} differs from the database: ${differenceOf(tab.jobs(), list)}`],
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
  const left = of(shown);
  const right = of(stored);
  const id =
    [...left.keys(), ...right.keys()].find((key) => JSON.stringify(left.get(key)) !== JSON.stringify(right.get(key))) ??
    "";
  return `${JSON.stringify(left.get(id))} instead of ${JSON.stringify(right.get(id))}`;
}

export function faultsOfEvents(visitors: readonly Visitor[]): string[] {
  return visitors.flatMap(({ jobIds, tabs }, owner) =>
    tabs.flatMap(({ pushes }, n) => {
      const foreign = pushes.filter(({ id }) => !jobIds.has(id));
      // A recovered connection may repeat an event. Completions of two attempts of one job are a fault.
      const ends = Map.groupBy(
        pushes.filter(({ status }) => status === "completed"),
        ({ id }) => id,
      );
      const twice = [...ends].filter(([, versions]) => new Set(versions.map(({ attempt }) => attempt)).size > 1);
      return [
        ...foreign.map(({ id }) => `page ${n} of visitor ${owner} received foreign job ${id}`),
        ...twice.map(([id]) => `job ${id} was completed more than once`),
      ];
    }),
  );
}

async function faultsOfStorage({ storage, bucket }: Cluster, { jobs }: StoredState): Promise<string[]> {
  const stored: string[] = [];
  for await (const page of paginateListObjectsV2({ client: storage.client }, { Bucket: bucket }))
    for (const { Key = "" } of page.Contents ?? []) stored.push(Key.replace(/^files\//, ""));
  const { Uploads: unfinished = [] } = await storage.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  const named = new Set(
    jobs.flatMap(({ fileKey, thumbnailKey }) => [fileKey, thumbnailKey].filter((key) => key !== undefined)),
  );
  return [
    ...stored.filter((key) => !named.has(key)).map((key) => `file ${key} belongs to no job`),
    ...[...named].filter((key) => !stored.includes(key)).map((key) => `file ${key} is missing`),
    ...unfinished.map(({ Key }) => `the upload of ${Key} was neither completed nor aborted`),
  ];
}

/** @returns temporary folders and processes that no running job of these servers uses, as sentences */
export async function leftovers(parts: readonly Pick<ClusterPart, "name" | "pid" | "dataDir">[]): Promise<string[]> {
  const folders = await Promise.all(
    parts.map(async ({ name, pid, dataDir }) => {
      const scratch = join(dataDir, "scratch");
      const owned = (await entriesOf(scratch)).filter((entry) => entry.includes(`-${pid}-`));
      const orphaned = (await entriesOf(scratch)).filter((entry) => !owned.includes(entry));
      const inside = (await Promise.all(owned.map((entry) => entriesOf(join(scratch, entry))))).flat();
      const processes = await processesOf(scratch);
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
