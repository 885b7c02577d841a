/** Publishes the events of this process to the browsers of all processes. */
import { randomUUID } from "node:crypto";
import { Server } from "socket.io";
import type { ServerEvents } from "../../common/events.ts";
import type { Job } from "../../common/job.ts";
import type { Bus } from "../domain/bus.ts";
import { audienceRooms } from "../domain/accounts/viewer.ts";
import { JobPushes } from "./job-pushes.ts";
import { ReplayBuffer, type ClusterLink } from "./replay-buffer.ts";

/** The other web processes and the Socket.IO adapter that reaches their browsers. */
export interface Cluster extends ClusterLink {
  readonly adapter: Exclude<Parameters<Server["adapter"]>[0], undefined>;
}

export type PushEvent = "job" | "job:removed" | "usage";

export interface PublisherSettings {
  /** Null if this is the only process. */
  readonly cluster: Cluster | null;
  /** Average time between two pushes about one job. */
  readonly pushIntervalMs: number;
  /** Called for each event that is sent, for the metrics. */
  readonly countPush: (event: PushEvent) => void;
}

export interface Publisher {
  /**
   * Must be called for each version of a job that this process sends to its browsers, also those from other processes.
   */
  onDelivered(job: Job): void;
  stop(): void;
}

type Emitter = Pick<Server<Record<string, never>, ServerEvents>, "to">;

/** Subscribes to the events of this process on the bus and publishes them through `io`. */
export function startPublisher(
  io: Emitter,
  bus: Bus,
  { cluster, pushIntervalMs, countPush }: PublisherSettings,
): Publisher {
  const processId = randomUUID();
  const replayBuffer = cluster && new ReplayBuffer(cluster);
  const publish = (event: PushEvent, key: string, emit: () => void) => {
    countPush(event);
    emit();
    replayBuffer?.add(key, emit);
  };
  const pushes = new JobPushes({
    intervalMs: pushIntervalMs,
    isInCluster: cluster !== null,
    emit: (audience, job) => {
      publish("job", job.id, () => io.to(audienceRooms(audience)).emit("job", job));
      // The worker of the job must count this push too, and it does not receive what goes to browsers.
      if (cluster !== null && job.status !== "processing") bus.publish("job:pushed", { id: job.id, by: processId });
    },
  });
  const stops = [
    bus.subscribe("job", ({ audience, job }) => pushes.push(audience, job)),
    bus.subscribe("job:removed", ({ audience, id }) => {
      pushes.remove(id);
      publish("job:removed", id, () => io.to(audienceRooms(audience)).emit("job:removed", { id }));
    }),
    bus.subscribe("usage", ({ audience, usage }) => {
      const rooms = audienceRooms(audience);
      publish("usage", `usage ${rooms.join(" ")}`, () => io.to(rooms).emit("usage", usage));
    }),
    bus.subscribe("job:pushed", ({ id, by }) => {
      if (by !== processId) pushes.countForeignPush(id);
    }),
    () => pushes.stop(),
    () => replayBuffer?.stop(),
  ];
  return {
    onDelivered(job) {
      // Pushes of other states are counted by their `job:pushed` message.
      if (job.status === "processing" && !pushes.isOurs(job)) pushes.countForeignPush(job.id);
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** Publishes from a process without browsers of its own, such as a worker. */
export function startWorkerPublisher(
  bus: Bus,
  settings: PublisherSettings & { readonly cluster: Cluster },
): { close(): void } {
  const io = new Server<Record<string, never>, ServerEvents>({ adapter: settings.cluster.adapter });
  const publisher = startPublisher(io, bus, settings);
  return {
    close() {
      publisher.stop();
      void io.of("/").adapter.close();
    },
  };
}
