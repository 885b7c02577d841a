/**
 * How the parts of the server tell each other what happened, whether they share a process or not.
 * Messages are plain data: what goes in is copied, so nobody can come to rely on shared memory.
 */
import { EventEmitter } from "node:events";
import { z } from "zod";
import type { Usage } from "../../common/api.ts";
import type { ConversionErrorCode } from "../../common/errors.ts";
import type { Job } from "../../common/job.ts";
import type { Format, Tier } from "../../common/tiers.ts";

/** Whose browsers may hear of a job: the device that made it and, when signed in, its user. */
export interface Audience {
  readonly deviceId: string;
  readonly userId?: string;
}

/** What is said to the parts of every process, in the shape in which it travels. */
export const SHARED_MESSAGES = {
  /** A job has become a user's: what is said of it from now on is for the user. */
  "job:adopted": z.object({ id: z.string(), userId: z.string() }),
  /** Whoever works on the job should stop. */
  "job:canceled": z.object({ id: z.string(), attempt: z.number() }),
  /** A process has pushed something about the job: of all processes together only so many pushes go out a second. */
  "job:pushed": z.object({ id: z.string(), by: z.string() }),
  /** These sessions are over: their sockets are closed. */
  "session:ended": z.object({ sessionIds: z.array(z.string()).readonly() }),
  /** Somebody has signed in on this device: its sockets come back and say who they are. */
  "device:changed": z.object({ deviceId: z.string() }),
  /** There is a ticket to pick up. */
  ticket: z.object({ name: z.string(), ticketId: z.string(), runAtMs: z.number(), priority: z.number() }),
} as const;
export type SharedTopic = keyof typeof SHARED_MESSAGES;

/**
 * News, told within the process they come from. Realtime carries them from there to the browsers of
 * every process, once; a bus that carried them too would tell each browser several times.
 */
export interface News {
  /** A job changed. */
  job: { audience: Audience; job: Job };
  /** A job was removed together with its file. */
  "job:removed": { audience: Audience; id: string };
  /** Somebody's tier changed, or who they are; every process notices by itself. */
  identity: { userId: string; tier: Tier };
  usage: { audience: Audience; usage: Usage };
  /** A job has come to an end, successful or not. */
  "job:ended": { format: Format; outcome: "completed" | "canceled" | ConversionErrorCode };
}

export type BusMessages = { [T in SharedTopic]: z.infer<(typeof SHARED_MESSAGES)[T]> } & News;
export type Topic = keyof BusMessages;

export function isShared(topic: Topic): topic is SharedTopic {
  return Object.hasOwn(SHARED_MESSAGES, topic);
}

export interface Bus {
  /**
   * Delivered to every subscriber of the topic, at most once each, in order of publication: of
   * {@link News} to those of this process, of everything else to those of all. A word may be lost
   * while processes cannot reach each other; whoever needs it for more than speed looks into the database.
   */
  publish<T extends Topic>(topic: T, message: BusMessages[T]): void;
  /** Returns what ends the subscription. */
  subscribe<T extends Topic>(topic: T, handler: (message: BusMessages[T]) => void): () => void;
  close(): Promise<void>;
}

/** The bus of a process that is alone. */
export function createInProcessBus(): Bus {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    publish(topic, message) {
      const copy = structuredClone(message);
      // Never within the publisher's own call: a slow or throwing subscriber is not its problem.
      setImmediate(() => emitter.emit(topic, copy));
    },
    subscribe(topic, handler) {
      emitter.on(topic, handler);
      return () => emitter.off(topic, handler);
    },
    close() {
      emitter.removeAllListeners();
      return Promise.resolve();
    },
  };
}
