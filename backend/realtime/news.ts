/**
 * News of this process on their way to the browsers of all. What is said while the others cannot be
 * reached is said again, by the latest, as soon as they can: merging makes saying it twice harmless.
 */
import { Server } from "socket.io";
import type { ServerEvents } from "../../common/events.ts";
import type { Bus } from "../domain/bus.ts";
import { roomsOf } from "../domain/viewer.ts";

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

/** @returns what ends it */
export function carryNews(io: Emitter, bus: Bus, cluster: Cluster | null, count: NewsCounter): () => void {
  const said = cluster && new LatestWords(cluster);
  const say = (event: NewsEvent, key: string, emit: () => void) => {
    count(event);
    emit();
    said?.keep(key, emit);
  };
  const ends = [
    bus.subscribe("job", ({ audience, job }) => say("job", job.id, () => io.to(roomsOf(audience)).emit("job", job))),
    bus.subscribe("job:removed", ({ audience, id }) => say("job:removed", id, () => io.to(roomsOf(audience)).emit("job:removed", { id }))),
    bus.subscribe("usage", ({ audience, usage }) => say("usage", `usage ${roomsOf(audience).join(" ")}`, () => io.to(roomsOf(audience)).emit("usage", usage))),
    () => said?.stop(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The same for a process without browsers of its own. */
export function sendNews(bus: Bus, cluster: Cluster, count: NewsCounter): { close(): void } {
  const io = new Server<Record<string, never>, ServerEvents>({ adapter: cluster.adapter });
  const end = carryNews(io, bus, cluster, count);
  return {
    close() {
      end();
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
