/**
 * The last look at everything that goes from this process to its browsers. Pushes of several processes
 * meet here for the first time: a worker's may arrive after a later word of the process that was asked
 * to cancel. Versions that are older than what was sent are left out.
 */
import type { Server } from "socket.io";
import type { Job } from "../../common/job.ts";
import { compareJobs } from "../../common/merge.ts";
import { advance } from "./advance.ts";
import { RecentMap } from "./recent-map.ts";

const MAX_JOBS = 10_000;
/** Of an event, in the protocol of Socket.IO. */
const EVENT_PACKET = 2;

/** The newest versions that went to browsers of this process; null for a job that was removed. */
export class NewestSent {
  readonly #versions = new RecentMap<Job | null>(MAX_JOBS);

  /** @returns the version to send, or null when it is to be left out */
  take(job: Job): Job | null {
    const known = this.#versions.get(job.id);
    if (known === null) return null;
    const next = known ? advance(known, job) : job;
    if (next !== null) this.#versions.set(job.id, next);
    return next;
  }

  remove(jobId: string): void {
    this.#versions.set(jobId, null);
  }

  /** @returns a job from the database, with the percentage that was already pushed if that is higher */
  lift(job: Job): Job {
    const known = this.#versions.get(job.id);
    if (!known || job.status !== "processing" || known.status !== "processing") return job;
    return advance(known, job) ?? job;
  }
}

/**
 * Makes the server send versions of jobs forwards only.
 * @param onJob hears of each version before it is looked at
 */
export function sendForwardOnly(
  { encoder }: Pick<Server, "encoder">,
  newest: NewestSent,
  onJob: (job: Job) => void,
): void {
  const encode = encoder.encode.bind(encoder);
  // Each packet is encoded once, just before it goes to the sockets, wherever it comes from.
  encoder.encode = (packet) => {
    const { type }: { readonly type: number } = packet;
    if (type !== EVENT_PACKET) return encode(packet);
    const [event, message, ...rest] = packet.data as [string, unknown, ...unknown[]];
    if (event === "job:removed") newest.remove((message as { id: string }).id);
    if (event !== "job") return encode(packet);
    onJob(message as Job);
    const job = newest.take(message as Job);
    return job === null ? [] : encode({ ...packet, data: [event, job, ...rest] });
  };
}

/**
 * @param missed what a browser missed while it was away: the arguments of each event
 * @returns the same with only the newest version of each job: nobody watches the ones before it
 */
export function onlyNewest(missed: readonly unknown[][]): unknown[][] {
  const newest = new Map<string, Job>();
  for (const [event, job] of missed as [unknown, Job][]) {
    if (event !== "job") continue;
    const known = newest.get(job.id);
    if (known === undefined || compareJobs(job, known) >= 0) newest.set(job.id, job);
  }
  return missed.filter(([event, job]) => event !== "job" || newest.get((job as Job).id) === job);
}
