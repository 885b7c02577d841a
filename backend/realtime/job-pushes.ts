/**
 * The one place where this process decides which versions of jobs are pushed, and when: within an
 * attempt neither status nor percentage goes back, and of each job only so many go out a second. What
 * has to wait is merged into one push.
 */
import type { Job } from "../../common/job.ts";
import type { Audience } from "../domain/bus.ts";
import { advance } from "./advance.ts";
import { dueAtMs, PUSHES_PER_WINDOW, withPush, type PushLane } from "./push-lane.ts";
import { RecentMap } from "./recent-map.ts";

/** The history of so many jobs is kept: of those that anything was said about last. */
const MAX_JOBS = 10_000;

export interface JobPushesSettings {
  /** On average; at most five pushes of one job go out in five times this long. */
  readonly intervalMs: number;
  readonly emit: (audience: Audience, job: Job) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs?: () => number;
}

interface Entry {
  lane: PushLane;
  audience: Audience;
  isWaiting: boolean;
  timer?: NodeJS.Timeout | undefined;
}

export class JobPushes {
  readonly #windowMs: number;
  readonly #emit: (audience: Audience, job: Job) => void;
  readonly #nowMs: () => number;
  /** When other processes pushed versions of jobs about which nothing was pushed here yet. */
  readonly #heardAtMs = new RecentMap<readonly number[]>(MAX_JOBS);
  readonly #ours = new WeakSet<Job>();
  /** Null: the job was removed, and nothing more is said about it. */
  readonly #entries = new RecentMap<Entry | null>(MAX_JOBS, (entry) => this.#send(entry));

  constructor({ intervalMs, emit, nowMs = () => performance.now() }: JobPushesSettings) {
    this.#windowMs = intervalMs * PUSHES_PER_WINDOW;
    this.#emit = emit;
    this.#nowMs = nowMs;
  }

  /** Pushes the version now or, merged with what comes until then, as soon as there is room. */
  push(audience: Audience, job: Job): void {
    const known = this.#entries.get(job.id);
    if (known === null) return;
    const next = known ? advance(known.lane.next, job) : job;
    if (next === null) return;
    const entry: Entry = known ?? { lane: { next, pushedAtMs: this.#heardAtMs.get(job.id) ?? [] }, audience, isWaiting: true };
    entry.lane = { ...entry.lane, next };
    entry.audience = audience;
    entry.isWaiting = true;
    this.#entries.set(job.id, entry);
    this.#sendWhenDue(entry);
  }

  /** Another process has pushed something about the job: that takes a place of its window here too. */
  heard(jobId: string): void {
    const entry = this.#entries.get(jobId);
    const nowMs = this.#nowMs();
    if (entry) entry.lane = { ...entry.lane, pushedAtMs: withPush(entry.lane.pushedAtMs, nowMs) };
    else this.#heardAtMs.set(jobId, withPush(this.#heardAtMs.get(jobId) ?? [], nowMs));
  }

  /** @returns whether this very version was pushed by this process */
  isOurs(job: Job): boolean {
    return this.#ours.has(job);
  }

  /** The job is gone: what was still to be said about it is dropped. */
  remove(jobId: string): void {
    clearTimeout(this.#entries.get(jobId)?.timer);
    this.#entries.set(jobId, null);
  }

  /** Sends at once what is waiting. */
  stop(): void {
    for (const entry of this.#entries.values()) this.#send(entry);
  }

  #sendWhenDue(entry: Entry): void {
    clearTimeout(entry.timer);
    const waitMs = dueAtMs(entry.lane, this.#windowMs) - this.#nowMs();
    if (waitMs <= 0) this.#send(entry);
    // A timer may fire a little early; then the rest is waited for.
    else entry.timer = setTimeout(() => this.#sendWhenDue(entry), Math.ceil(waitMs));
  }

  #send(entry: Entry | null): void {
    if (!entry?.isWaiting) return;
    clearTimeout(entry.timer);
    entry.isWaiting = false;
    const { next, pushedAtMs } = entry.lane;
    this.#ours.add(next);
    this.#emit(entry.audience, next);
    // The time is read after sending: then pushes are never closer to each other than it says.
    entry.lane = { pushed: next, next, pushedAtMs: withPush(pushedAtMs, this.#nowMs()) };
  }
}
