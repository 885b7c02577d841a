/**
 * Filters the job versions that this process sends to its browsers. Pushes of several processes meet here for the first
 * time: a push of a worker may arrive after a later push of the web process that canceled the job. Older versions are
 * left out.
 */
import type { Server } from "socket.io";
import type { Job } from "../../common/job.ts";
import { advance, KEPT_JOBS } from "./advance.ts";
import { RecentMap } from "../domain/recent-map.ts";

/** The packet type of events in the protocol of Socket.IO. */
const EVENT_PACKET = 2;

/** The newest version of each job that browsers of this process have received. */
export class DeliveredJobs {
  /** Null: the job was removed. */
  readonly #versions = new RecentMap<Job | null>(KEPT_JOBS);

  /** Records a version. @returns the version to send, or null if none must be sent */
  accept(job: Job): Job | null {
    const known = this.#versions.get(job.id);
    if (known === null) return null;
    const next = known ? advance(known, job) : job;
    if (next !== null) this.#versions.set(job.id, next);
    return next;
  }

  /** From now on no version of the job is sent. */
  remove(jobId: string): void {
    this.#versions.set(jobId, null);
  }

  /**
   * @param job a version from the database, where progress is written less often than it is pushed
   * @returns the version with the delivered progress if that is further
   */
  withDeliveredProgress(job: Job): Job {
    const known = this.#versions.get(job.id);
    if (!known || job.status !== "processing" || known.status !== "processing") return job;
    return advance(known, job) ?? job;
  }
}

/**
 * Makes the server leave out job versions that are older than a delivered one.
 * @param onJob called for each version before it is filtered
 */
export function filterDeliveries(
  { encoder }: Pick<Server, "encoder">,
  delivered: DeliveredJobs,
  onJob: (job: Job) => void,
): void {
  const encode = encoder.encode.bind(encoder);
  // Each packet is encoded once, just before it goes to the sockets, whichever process it comes from.
  encoder.encode = (packet) => {
    const { type }: { readonly type: number } = packet;
    if (type !== EVENT_PACKET) return encode(packet);
    const [event, message, ...rest] = packet.data as [string, unknown, ...unknown[]];
    if (event === "job:removed") delivered.remove((message as { id: string }).id);
    if (event !== "job") return encode(packet);
    onJob(message as Job);
    const job = delivered.accept(message as Job);
    return job === null ? [] : encode({ ...packet, data: [event, job, ...rest] });
  };
}
