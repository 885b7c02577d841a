/**
 * A browser that lost its connection cannot know whether its request arrived, so it sends it again
 * under the same key; it is then answered with the jobs the first one made. Which jobs those are is
 * written on the jobs themselves, under a unique index: two at the same moment make one.
 */
import { createHash } from "node:crypto";
import { UserError } from "../../../common/errors.ts";
import type { Domain } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** The browser's own name for a request, and what it asks for. */
export interface RequestName {
  readonly key: string;
  /** Whatever makes one request differ from another. */
  readonly content: unknown;
}

/** A key counts for this long; afterwards it is as good as new. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1_000;

const digest = (...parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/** What the n-th job of a request carries. The key is the device's: signing in meanwhile changes nothing. */
export function requestMark(
  { deviceId }: Viewer,
  { key, content }: RequestName,
  index: number,
): Pick<Required<StoredJob>, "requestKey" | "requestDigest"> {
  return { requestKey: digest(deviceId, key, index), requestDigest: digest(content) };
}

/**
 * The jobs that this request has made before, in its order; empty when it is new.
 * @param count how many it asks for
 * @throws UserError conflict when the key was used for something else
 */
export async function findRepeated(
  domain: Domain,
  viewer: Viewer,
  request: RequestName,
  count: number,
  now: Date = new Date(),
): Promise<StoredJob[]> {
  const marks = Array.from({ length: count }, (_, index) => requestMark(viewer, request, index));
  const jobs = await domain.jobs
    .find({ requestKey: { $in: marks.map(({ requestKey }) => requestKey) } })
    .lean<StoredJob[]>();
  const [first] = jobs;
  if (!first) return [];
  if (first.createdAt.getTime() <= now.getTime() - KEY_LIFE_MS) {
    await domain.jobs.updateMany(
      { _id: { $in: jobs.map(({ _id }) => _id) } },
      { $unset: { requestKey: 1, requestDigest: 1 } },
    );
    return [];
  }
  const isTheirs = viewer.userId === first.userId || first.userId === null;
  if (!isTheirs || first.requestDigest !== marks[0]?.requestDigest)
    throw new UserError("conflict", "This request was sent before with other content. Reload the page and try again.");
  return marks.flatMap(({ requestKey }) => jobs.filter((job) => job.requestKey === requestKey));
}
