/** The jobs that the visitor has started on this page. */
import type { Job } from "../../../common/job.ts";
import { currentJob, finished, jobs, ownLinks } from "./stores.ts";

/** Ids of the jobs whose requests were answered on this page; an earlier page may have left such a request waiting. */
export const started = new Set<string>();

/** Must be called before the jobs are added to the jobs store. */
export function noteOwn(created: readonly Job[], link?: string): void {
  for (const { id } of created) {
    started.add(id);
    if (link !== undefined) ownLinks.add(id, link);
  }
}

/** Like {@link noteOwn}, for an answer to a click: the visitor is looking at the page. */
function noteStarted(created: readonly Job[], link?: string): void {
  noteOwn(created, link);
  finished.getState().clear();
}

/** Adds a single job that the visitor has started. */
export function addStarted(job: Job, link?: string): void {
  currentJob.getState().begin(job.id);
  noteStarted([job], link);
  jobs.getState().receive(job);
}

/** Adds jobs that the visitor has started together. */
export function addAllStarted(created: readonly Job[]): void {
  noteStarted(created);
  jobs.getState().receiveAll(created);
}

export const isOwn = (id: string): boolean => started.has(id) || ownLinks.of(id) !== undefined;
