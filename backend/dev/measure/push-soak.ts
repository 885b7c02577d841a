/** Visitors who convert, cancel, retry, remove and lose their connection, in an order that depends on a seed. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConversionError } from "../../../common/errors.ts";
import { isActive, type Job } from "../../../common/job.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { LiveView, TestDevice, TestServer } from "../testing/test-server.ts";

export interface SoakOptions {
  readonly devices: number;
  /** Jobs of each device in each lane, one after the other. */
  readonly jobsPerLane: number;
  readonly lanes: number;
  readonly seed: number;
}

export interface SoakOutcome {
  readonly jobs: number;
  /** Every version that each socket received, in the order of arrival. */
  readonly received: readonly (readonly Job[])[];
}

const REPORT_MS = 10;

/**
 * Replaces the pipeline: reports progress far more often than the server pushes it, with title and picture in between,
 * and sometimes fails with a transient or permanent error.
 */
export function createSoakConversion(seed: number): Required<Runtime>["convert"] {
  const random = seededRandom(seed);
  return async ({ folder, format }, listener, signal) => {
    const steps = 5 + Math.floor(random() * 200);
    const failsAt = random() < 0.3 ? Math.floor(random() * steps) : Infinity;
    const isTransient = random() < 0.7;
    const metadataAt = Math.floor(random() * 5);
    const pictureAt = metadataAt + Math.floor(random() * 20);
    for (let step = 0; step < steps; step += 1) {
      if (step === metadataAt) listener.found({ title: "A soak", durationSeconds: 10 });
      if (step === pictureAt) {
        const picture = join(folder, "picture.jpg");
        await writeFile(picture, "picture");
        listener.found({ thumbnailPath: picture });
      }
      if (step === failsAt) throw new ConversionError("network", { isTransient });
      if (step >= metadataAt)
        listener.progress({
          stage: "download",
          percent: Math.floor((step * 99) / steps),
          etaSeconds: (steps - step) / 100,
        });
      await delay(REPORT_MS, undefined, { signal });
    }
    const path = join(folder, `result.${format}`);
    await writeFile(path, "sound");
    return { path, sizeBytes: 5, durationSeconds: 10 };
  };
}

/**
 * The generator mulberry32.
 * @returns a function that returns numbers from 0 to 1, the same sequence for the same seed
 */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param servers the devices are divided among them; they share one database */
export async function runPushSoak(servers: readonly TestServer[], options: SoakOptions): Promise<SoakOutcome> {
  const views: LiveView[] = [];
  let jobs = 0;
  const visits = Array.from({ length: options.devices }, async (_, n) => {
    const server = servers[n % servers.length];
    if (!server) throw new Error("a soak needs a server");
    const device = await server.newDevice();
    const live = await device.live();
    views.push(live);
    const lanes = Array.from({ length: options.lanes }, async (_lane, lane) => {
      const random = seededRandom(options.seed + n * 1_000 + lane);
      for (let count = 0; count < options.jobsPerLane; count += 1) {
        jobs += 1;
        await runOneJob({ server, device, live, random, name: `${n}-${lane}-${count}` });
      }
    });
    await Promise.all(lanes);
  });
  await Promise.all(visits);
  return { jobs, received: views.map(({ pushes }) => pushes) };
}

interface Visit {
  readonly server: TestServer;
  readonly device: TestDevice;
  readonly live: LiveView;
  readonly random: () => number;
  /** Makes links differ. */
  readonly name: string;
}

async function runOneJob(visit: Visit): Promise<void> {
  const { server, device, live, random, name } = visit;
  const link = server.site.urlOf("cello");
  // Some requests equal those of other devices and share their conversion.
  const url = random() < 0.2 ? `${link}?shared=${Math.floor(random() * 4)}` : `${link}?soak=${name}`;
  const { id } = await device.convert(url, random() < 0.5 ? "mp3" : "mp4");
  const ended = (attempt: number) => live.until(id, (job) => job.attempt >= attempt && !isActive(job.status));
  let job: Job | undefined;
  for (let cancels = Math.floor(random() * 3); cancels > 0; cancels -= 1) {
    if (random() < 0.7)
      await live.until(
        id,
        (version) =>
          !isActive(version.status) || (version.status === "processing" && version.thumbnailUrl !== undefined),
      );
    if (random() < 0.3) loseConnection(live, random() < 0.5);
    await act(device, "DELETE", `/api/conversions/${id}?while=active`);
    const answer = await act(device, "POST", `/api/conversions/${id}/retry`);
    if (answer === null) break;
    job = answer;
  }
  if (random() < 0.2) loseConnection(live, random() < 0.5);
  await ended(job?.attempt ?? 1);
  if (random() < 0.8) await act(device, "DELETE", `/api/conversions/${id}`);
}

/** @returns the job of the answer; null when its state does not allow the call, or it is gone */
async function act(device: TestDevice, method: string, path: string): Promise<Job | null> {
  const answer = await device.call(method, path);
  const text = await answer.text();
  if (answer.status === 404 || answer.status === 409 || answer.status === 204) return null;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Job;
}

/** Breaks the connection, which then reconnects, or reconnects as a new page. */
function loseConnection({ socket }: LiveView, isNewPage: boolean): void {
  if (isNewPage) socket.disconnect().connect();
  else if (socket.connected) socket.io.engine.close();
}

const RANK: Readonly<Record<Job["status"], number>> = {
  queued: 0,
  pending: 1,
  processing: 2,
  failed: 3,
  canceled: 3,
  completed: 3,
};

/** @returns pushes that are older than the push before: of an earlier attempt, or of an earlier status or progress */
export function backwardPushes(received: readonly Job[]): string[] {
  const last = new Map<string, Job>();
  return received.flatMap((job) => {
    const before = last.get(job.id);
    last.set(job.id, job);
    if (before === undefined || job.attempt > before.attempt) return [];
    const isForward =
      job.attempt === before.attempt && RANK[job.status] >= RANK[before.status] && job.progress >= before.progress;
    const describe = ({ attempt, status, progress }: Job) => `${attempt} ${status} ${progress}`;
    return isForward ? [] : [`${job.id}: ${describe(before)} → ${describe(job)}`];
  });
}

/** @returns the largest number of events within any window of that length */
export function mostInWindow(timesMs: readonly number[], windowMs: number): number {
  let first = 0;
  return timesMs.reduce((most, timeMs, index) => {
    while ((timesMs[first] ?? timeMs) <= timeMs - windowMs) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}
