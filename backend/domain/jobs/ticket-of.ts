import { siteOf } from "../sites/site-of.ts";
import type { TicketQueue } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";

/** @returns the ticket for a job that waits */
export function ticketOf({
  _id,
  priority,
  sourceUrl,
}: Pick<StoredJob, "_id" | "priority" | "sourceUrl">): Parameters<TicketQueue["enqueue"]>[0] {
  return { jobId: _id, priority, site: siteOf(sourceUrl) };
}
