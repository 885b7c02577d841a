/**
 * News of this process on their way to the browsers of all. What is said while the others cannot be
 * reached is said again, by the latest, as soon as they can: merging makes saying it twice harmless.
 */
import { randomUUID } from "node:crypto";
import { Server } from "socket.io";
import type { ServerEvents } from "../../common/events.ts";
import type { Job } from "../../common/job.ts";
import type { Bus } from "../domain/bus.ts";
import { roomsOf } from "../domain/viewer.ts";
import { JobPushes } from "./job-pushes.ts";

/** The other processes, as far as browsers are concerned. */
export interface Cluster {
  readonly adapter: Exclude<Parameters<Server["adapter"]>[0], undefined>;
  /** Whether the others can be reached. */
  isUp(): boolean;
  onChange(handler: (isUp: boolean) => void): () => void;
}

export type NewsEvent = "job" | "job:removed" | "usage";
export type NewsCounter = (event: NewsEvent) => void;

/** What was said this long before the others were found gone may not have arrived: a dead line is noticed within four seconds. */
const DOUBTFUL_MS = 5_000;
/** Of so many jobs and lists the latest word is kept; of more, the longest silent are left to the next snapshot. */
const MAX_KEPT = 10_000;

type Emitter = Pick<Server<Record<string, never>, ServerEvents>, "to">;

export interface NewsSettings {
  /** The way to browsers of other processes; null: there are no others. */
  readonly cluster: Cluster | null;
  /** Between two pushes about one job, on average. */
  readonly pushIntervalMs: number;
  readonly countNews: NewsCounter;
}

export interface CarriedNews {
  /** A version of a job goes to browsers of this process, whichever process has pushed it. */
  delivered(job: Job): void;
  stop(): void;
}

/** Carries the news of this process to the browsers of all. */
export function carryNews(io: Emitter, bus: Bus, { cluster, pushIntervalMs, countNews: count }: NewsSettings): CarriedNews {
  const ourName = randomUUID();
  const said = cluster && new LatestWords(cluster);
  const say = (event: NewsEvent, key: string, emit: () => void) => {
    count(event);
    emit();
    said?.keep(key, emit);
  };
  const pushes = new JobPushes({
    intervalMs: pushIntervalMs,
    emit: (audience, job) => {
      say("job", job.id, () => io.to(roomsOf(audience)).emit("job", job));
      // Whoever works on it pushes soon, but hears nothing of what goes to browsers.
      if (cluster !== null && job.status !== "processing") bus.publish("job:pushed", { id: job.id, by: ourName });
    },
  });
  const ends = [
    bus.subscribe("job", ({ audience, job }) => pushes.push(audience, job)),
    bus.subscribe("job:removed", ({ audience, id }) => {
      pushes.remove(id);
      say("job:removed", id, () => io.to(roomsOf(audience)).emit("job:removed", { id }));
    }),
    bus.subscribe("usage", ({ audience, usage }) => say("usage", `usage ${roomsOf(audience).join(" ")}`, () => io.to(roomsOf(audience)).emit("usage", usage))),
    bus.subscribe("job:pushed", ({ id, by }) => {
      if (by !== ourName) pushes.heard(id);
    }),
    () => pushes.stop(),
    () => said?.stop(),
  ];
  return {
    delivered(job) {
      // The others have been told of, see above.
      if (job.status === "processing" && !pushes.isOurs(job)) pushes.heard(job.id);
    },
    stop() {
      for (const end of ends) end();
    },
  };
}

/** The same for a process without browsers of its own. */
export function sendNews(bus: Bus, settings: NewsSettings & { readonly cluster: Cluster }): { close(): void } {
  const io = new Server<Record<string, never>, ServerEvents>({ adapter: settings.cluster.adapter });
  const news = carryNews(io, bus, settings);
  return {
    close() {
      news.stop();
      void io.of("/").adapter.close();
    },
  };
}

class LatestWords {
  readonly #words = new Map<string, { readonly emit: () => void; readonly atMs: number }>();
  readonly #cluster: Cluster;
  readonly #unsubscribe: () => void;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#unsubscribe = cluster.onChange((isUp) => {
      if (isUp) this.#sayAgain();
    });
  }

  keep(key: string, emit: () => void): void {
    // The order of a map is that of putting in.
    this.#words.delete(key);
    this.#words.set(key, { emit, atMs: Date.now() });
    const doubtfulFromMs = Date.now() - DOUBTFUL_MS;
    for (const [oldest, { atMs }] of this.#words) {
      if (this.#words.size <= MAX_KEPT && (!this.#cluster.isUp() || atMs >= doubtfulFromMs)) break;
      this.#words.delete(oldest);
    }
  }

  #sayAgain(): void {
    for (const { emit } of this.#words.values()) emit();
  }

  stop(): void {
    this.#unsubscribe();
    this.#words.clear();
  }
}
