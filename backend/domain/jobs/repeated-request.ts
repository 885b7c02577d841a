/**
 * Idempotency keys. A browser that lost its connection cannot know whether its request arrived, so it sends the request
 * again with the same key, and the answer is the jobs that the first one made. The key is stored on those jobs under a
 * unique index, so that two equal requests at the same moment make the jobs once.
 */
import { createHash } from "node:crypto";
import { UserError } from "../../../common/errors.ts";
import type { Domain } from "../domain.ts";
import { findJobs } from "./find-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** A request that may be repeated. */
export interface RequestName {
  /** Chosen by the browser. */
  readonly key: string;
  /** Differs between different requests; must be serializable as JSON. */
  readonly content: unknown;
  /** How many jobs the same key has named before, where it names more than this request asks for. Default: 0. */
  readonly namedBefore?: number;
}

/** After this time a key may be used for a new request. */
export const REQUEST_KEY_LIFE_MS = 24 * 60 * 60 * 1_000;

const digest = (...parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/**
 * @param index position of the job among those of the request
 * @returns the fields that mark the job; requests of different devices have different marks
 */
export function requestMark(
  { deviceId }: Viewer,
  { key, content, namedBefore = 0 }: RequestName,
  index: number,
): Pick<Required<StoredJob>, "requestKey" | "requestKeyHash" | "requestDigest"> {
  const requestKeyHash = digest(key, namedBefore + index);
  return { requestKey: requestKeyOfDevice(deviceId, requestKeyHash), requestKeyHash, requestDigest: digest(content) };
}

/** @returns the `requestKey` of a job for a device, such as the new id that a browser gets when its user signs in */
export function requestKeyOfDevice(deviceId: string, requestKeyHash: string): string {
  return digest(deviceId, requestKeyHash);
}

/**
 * @param count number of jobs that the request asks for
 * @returns the jobs that the same request has made before, in its order; empty for a new request
 * @throws UserError conflict when the key was used for a different request
 */
export async function findRepeated(
  domain: Domain,
  viewer: Viewer,
  request: RequestName,
  count: number,
  now: Date = new Date(),
): Promise<StoredJob[]> {
  const marks = Array.from({ length: count }, (_, index) => requestMark(viewer, request, index));
  const jobs = await findJobs(domain, { requestKey: { $in: marks.map(({ requestKey }) => requestKey) } });
  const [first] = jobs;
  if (!first) return [];
  if (first.createdAt.getTime() <= now.getTime() - REQUEST_KEY_LIFE_MS) {
    await domain.jobs.updateMany(
      { _id: { $in: jobs.map(({ _id }) => _id) } },
      { $unset: { requestKey: 1, requestKeyHash: 1, requestDigest: 1 } },
    );
    return [];
  }
  const isOwn = viewer.userId === first.userId || first.userId === null;
  if (!isOwn || first.requestDigest !== marks[0]?.requestDigest)
    throw new UserError("conflict", "This request was sent before with other content. Reload the page and try again.");
  return marks.flatMap(({ requestKey }) => jobs.filter((job) => job.requestKey === requestKey));
}
