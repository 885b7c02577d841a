/**
 * Decides which versions of jobs this process pushes, and when. Within an attempt neither status nor
 * percentage goes back. The number of pushes per job and second is limited; versions that have to wait
 * are merged into one push.
 */
import type { Job } from "../../common/job.ts";
import type { Audience } from "../domain/bus.ts";
import { advance, KEPT_JOBS } from "./advance.ts";
import {
  dueAtMs,
  PUSHES_PER_WINDOW,
  PUSHES_PER_WINDOW_IN_CLUSTER,
  withPush,
  type PushLimit,
  type PushSchedule,
} from "./push-schedule.ts";
import { RecentMap } from "../domain/recent-map.ts";

export interface JobPushesSettings {
  /** Average time between two pushes of one job: at most five go out within five intervals. */
  readonly intervalMs: number;
  /** Whether other processes may push the same jobs. */
  readonly isInCluster: boolean;
  readonly emit: (audience: Audience, job: Job) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs?: () => number;
}

interface Entry {
  schedule: PushSchedule;
  audience: Audience;
  isWaiting: boolean;
  timer?: NodeJS.Timeout;
}

export class JobPushes {
  readonly #limit: PushLimit;
  readonly #emit: (audience: Audience, job: Job) => void;
  readonly #nowMs: () => number;
  /** When other processes pushed jobs that this process has not pushed yet. */
  readonly #foreignPushesAtMs = new RecentMap<readonly number[]>(KEPT_JOBS);
  /** The version objects that this process pushed. */
  readonly #ours = new WeakSet<Job>();
  /** Null: the job was removed and is no longer pushed. */
  readonly #entries = new RecentMap<Entry | null>({ ...KEPT_JOBS, onDropped: (entry) => this.#send(entry) });

  constructor({ intervalMs, isInCluster, emit, nowMs = () => performance.now() }: JobPushesSettings) {
    this.#limit = {
      windowMs: intervalMs * PUSHES_PER_WINDOW,
      pushes: isInCluster ? PUSHES_PER_WINDOW_IN_CLUSTER : PUSHES_PER_WINDOW,
    };
    this.#emit = emit;
    this.#nowMs = nowMs;
  }

  /** Pushes the version now if the limit allows it; otherwise later, merged with the versions that follow. */
  push(audience: Audience, job: Job): void {
    const known = this.#entries.get(job.id);
    if (known === null) return;
    const next = known ? advance(known.schedule.next, job) : job;
    if (next === null) return;
    const entry: Entry = known ?? {
      schedule: { next, pushedAtMs: this.#foreignPushesAtMs.get(job.id) ?? [] },
      audience,
      isWaiting: true,
    };
    entry.schedule = { ...entry.schedule, next };
    entry.audience = audience;
    entry.isWaiting = true;
    this.#entries.set(job.id, entry);
    this.#sendWhenDue(entry);
  }

  /** Counts a push of another process, so that all processes together keep to the limit. */
  countForeignPush(jobId: string): void {
    const entry = this.#entries.get(jobId);
    const nowMs = this.#nowMs();
    if (entry) entry.schedule = { ...entry.schedule, pushedAtMs: withPush(entry.schedule.pushedAtMs, nowMs) };
    else this.#foreignPushesAtMs.set(jobId, withPush(this.#foreignPushesAtMs.get(jobId) ?? [], nowMs));
  }

  /** @returns whether this process pushed this version object */
  isOurs(job: Job): boolean {
    return this.#ours.has(job);
  }

  /** Drops a waiting version, and ignores the job from now on. */
  remove(jobId: string): void {
    clearTimeout(this.#entries.get(jobId)?.timer);
    this.#entries.set(jobId, null);
  }

  /** Sends all waiting versions now. */
  stop(): void {
    for (const entry of this.#entries.values()) this.#send(entry);
  }

  #sendWhenDue(entry: Entry): void {
    clearTimeout(entry.timer);
    const waitMs = dueAtMs(entry.schedule, this.#limit) - this.#nowMs();
    if (waitMs <= 0) this.#send(entry);
    // A timer may fire slightly early; the next call then waits for the remaining time.
    else entry.timer = setTimeout(() => this.#sendWhenDue(entry), Math.ceil(waitMs));
  }

  #send(entry: Entry | null): void {
    if (!entry?.isWaiting) return;
    clearTimeout(entry.timer);
    entry.isWaiting = false;
    const { next, pushedAtMs } = entry.schedule;
    this.#ours.add(next);
    this.#emit(entry.audience, next);
    // Reading the time after sending keeps the gap between two pushes at least as long as recorded.
    entry.schedule = { lastPushed: next, next, pushedAtMs: withPush(pushedAtMs, this.#nowMs()) };
  }
}
