import { siteOf } from "../sites/site-of.ts";
import type { TicketQueue } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";

/** @returns the ticket for a job that waits */
export function ticketOf({
  _id,
  priority,
  sourceUrl,
  cutOf,
}: Pick<StoredJob, "_id" | "priority" | "sourceUrl" | "cutOf">): Parameters<TicketQueue["enqueue"]>[0] {
  // A cut asks no site, so it waits for none.
  return { jobId: _id, priority, site: cutOf ? "" : siteOf(sourceUrl) };
}
