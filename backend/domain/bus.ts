/**
 * How the parts of the server tell each other what happened, whether they share a process or not.
 * Messages are plain data: what goes in is copied, so nobody can come to rely on shared memory.
 */
import { EventEmitter } from "node:events";
import type { Usage } from "../../common/api.ts";
import type { Job } from "../../common/job.ts";
import type { Tier } from "../../common/tiers.ts";

/** Whose browsers may hear of a job: the device that made it and, when signed in, its user. */
export interface Audience {
  readonly deviceId: string;
  readonly userId?: string;
}

export interface BusMessages {
  /** A job changed. */
  job: { audience: Audience; job: Job };
  /** A job was removed together with its file. */
  "job:removed": { audience: Audience; id: string };
  /** A job has become a user's: what is said of it from now on is for the user. */
  "job:adopted": { id: string; userId: string };
  /** Whoever works on the job should stop. */
  "job:canceled": { id: string; attempt: number };
  /** Somebody's tier changed, or who they are; their browsers ask again. */
  identity: { userId: string; tier: Tier };
  /** These sessions are over: their sockets are closed. */
  "session:ended": { sessionIds: readonly string[] };
  /** Somebody has signed in on this device: its sockets come back and say who they are. */
  "device:changed": { deviceId: string };
  usage: { audience: Audience; usage: Usage };
  /** There is, or may be, a ticket to pick up: one was written, or a place became free. */
  ticket: { name: string; ticketId: string; runAtMs: number; priority: number };
}
export type Topic = keyof BusMessages;

export interface Bus {
  /** Delivered to every subscriber of the topic, at most once each, in order of publication. */
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
