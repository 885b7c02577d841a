/** A browser of the bench: starts conversions and records when each push arrives. */
import { BatchAnswer } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import type { TestDevice } from "../testing/test-device.ts";
import { figuresOf, type JobFigures, type Push } from "./measuring/job-figures.ts";

/** Longer than any case takes; a job that does not end in this time fails the case. */
const END_TIMEOUT_MS = 15 * 60_000;

export interface FinishedJob {
  readonly job: Job;
  readonly figures: JobFigures;
  readonly postedAtMs: number;
  readonly completedAtMs: number;
}

export interface BenchClient {
  /** Converts and waits until the job is completed. @throws Error when it ends in another status */
  convert(url: string, format: Format): Promise<FinishedJob>;
  /** Converts all links with one call; only for Pro. */
  convertBatch(urls: readonly string[], format: Format): Promise<FinishedJob[]>;
}

export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Opens the live view of a device. */
export async function openClient(device: TestDevice): Promise<BenchClient> {
  const live = await device.live();
  const pushes = new Map<string, Push[]>();
  live.socket.on("job", (job) => {
    const push = { atMs: nowMs(), job };
    const earlier = pushes.get(job.id);
    if (earlier) earlier.push(push);
    else pushes.set(job.id, [push]);
  });

  async function finish({ id }: Job, postedAtMs: number): Promise<FinishedJob> {
    const job = await live.untilEnded(id, END_TIMEOUT_MS);
    const all = pushes.get(id) ?? [];
    pushes.delete(id);
    const last = all.at(-1);
    if (!last) throw new Error(`no push arrived for job ${id}`);
    return { job, figures: figuresOf(all, postedAtMs), postedAtMs, completedAtMs: last.atMs };
  }

  return {
    async convert(url, format) {
      const postedAtMs = nowMs();
      return finish(await device.convert(url, format), postedAtMs);
    },
    async convertBatch(urls, format) {
      const postedAtMs = nowMs();
      const answer = await device.call("POST", "/api/batch-conversions", { urls, format });
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
      const { jobs } = BatchAnswer.parse(await answer.json());
      return Promise.all(jobs.map((job) => finish(job, postedAtMs)));
    },
  };
}
