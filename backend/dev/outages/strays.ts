/** What belongs to nothing once all work has ended: files and pictures, folders, processes, tickets. */
import { leftovers, readState } from "../cluster/verify.ts";
import type { Product } from "../product/product.ts";

export interface Remains {
  readonly strays: readonly string[];
  /** Jobs that nobody asked for or that did not end, files that are missing, and jobs that were not counted once. */
  readonly losses: readonly string[];
}

/** @param asked ids of all jobs that were asked for */
export async function findRemains(product: Product, asked: ReadonlySet<string>): Promise<Remains> {
  const state = await readState({ mongodbUri: await product.databaseUri() });
  const stored = await product.listFiles();
  const keysOf = (jobs: typeof state.jobs) =>
    jobs.flatMap(({ fileKey, thumbnailKey }) => [fileKey, thumbnailKey]).filter((key) => key !== undefined);
  const named = keysOf(state.jobs);
  const needed = keysOf(state.jobs.filter(({ isExpired }) => isExpired !== true));
  const active = state.jobs.filter(({ status }) => ["queued", "pending", "processing"].includes(status));
  const counts = Map.groupBy(state.counted, (id) => id);
  return {
    strays: [
      ...stored.filter((key) => !named.includes(key)).map((key) => `file ${key} belongs to no job`),
      ...(await leftovers([product])),
      ...(state.tickets === 0 ? [] : [`${state.tickets} tickets are left`]),
    ],
    losses: [
      ...needed.filter((key) => !stored.includes(key)).map((key) => `file ${key} is missing`),
      ...active.map(({ _id, status }) => `job ${_id} is still ${status}`),
      ...state.jobs.filter(({ _id }) => !asked.has(_id)).map(({ _id }) => `job ${_id} was not asked for`),
      ...state.jobs
        .filter(({ _id, status }) => status === "completed" && counts.get(_id)?.length !== 1)
        .map(({ _id }) => `job ${_id} was not counted exactly once`),
    ],
  };
}
