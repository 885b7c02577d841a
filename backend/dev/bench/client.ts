/** The bench's own browser: asks for conversions and notes when each word of them comes. */
import { BatchAnswer } from "../../../common/api.ts";
import { isActive, type Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import type { TestDevice } from "../testing/test-device.ts";
import { figuresOf, type JobFigures, type Push } from "./measuring/job-figures.ts";

/** Longer than any case takes; a job that hangs ends the bench. */
const PATIENCE_MS = 15 * 60_000;

export interface FinishedJob {
  readonly job: Job;
  readonly figures: JobFigures;
  readonly postedAtMs: number;
  readonly completedAtMs: number;
}

export interface BenchClient {
  /** Resolves once the job is completed. @throws Error when it ends otherwise */
  convert(url: string, format: Format): Promise<FinishedJob>;
  /** One call for all of them; for those on a plan that has batches. */
  convertBatch(urls: readonly string[], format: Format): Promise<FinishedJob[]>;
}

export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

export async function openClient(device: TestDevice): Promise<BenchClient> {
  const { socket } = await device.live();
  const pushes = new Map<string, Push[]>();
  const waiting = new Map<string, () => void>();
  socket.on("job", (job) => {
    const atMs = nowMs();
    const known = pushes.get(job.id);
    if (known) known.push({ atMs, job });
    else pushes.set(job.id, [{ atMs, job }]);
    if (!isActive(job.status)) waiting.get(job.id)?.();
  });

  async function finish({ id }: Job, postedAtMs: number): Promise<FinishedJob> {
    const isOver = (): boolean => !isActive(pushes.get(id)?.at(-1)?.job.status ?? "queued");
    if (!isOver()) {
      const ended = Promise.withResolvers<void>();
      waiting.set(id, ended.resolve);
      const patience = setTimeout(() => ended.reject(new Error(`job ${id} did not end`)), PATIENCE_MS);
      await ended.promise.finally(() => clearTimeout(patience));
      waiting.delete(id);
    }
    const all = pushes.get(id) ?? [];
    pushes.delete(id);
    const last = all.at(-1);
    if (!last) throw new Error(`nothing was heard of job ${id}`);
    return { job: last.job, figures: figuresOf(all, postedAtMs), postedAtMs, completedAtMs: last.atMs };
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
