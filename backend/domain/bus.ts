/**
 * The events that the parts of the server send each other, within a process and between processes. Messages are plain
 * data and are copied, so that no part relies on shared memory.
 */
import { EventEmitter } from "node:events";
import { z } from "zod";
import type { Usage } from "../../common/api.ts";
import type { ConversionErrorCode } from "../../common/errors.ts";
import type { Job } from "../../common/job.ts";
import type { ShortfallReason } from "../../common/shortfall.ts";
import { ProcessReport } from "../../common/operator.ts";
import type { Format, Tier } from "../../common/tiers.ts";
import type { BlockKind } from "../../common/block-kinds.ts";

/** Whose browsers may receive a job: the device that made it and, when it belongs to a user, that user. */
export interface Audience {
  readonly deviceId: string;
  readonly userId?: string;
}

/** Events for every process, with the schemas of their messages. */
export const SHARED_EVENTS = {
  /** A job now belongs to a user: later events about it are for that user. */
  "job:adopted": z.object({ id: z.string(), userId: z.string() }),
  /** Orders the worker that runs this attempt of the job to stop. To count jobs that ended, use `job:ended`. */
  "job:stop": z.object({ id: z.string(), attempt: z.number() }),
  /** A process has pushed the job's progress. The others count the push, so that all together keep to the limit. */
  "job:pushed": z.object({ id: z.string(), by: z.string() }),
  /** These sessions have ended: their sockets are closed. */
  "session:ended": z.object({ sessionIds: z.array(z.string()).readonly() }),
  /** These tokens no longer work: their sockets are closed. */
  "token:revoked": z.object({ tokenIds: z.array(z.string()).readonly() }),
  /** The podcast feed of a user, or what is in it, has changed: what is known of it is read again. */
  "feed:changed": z.object({ userId: z.string() }),
  /** A user has signed in on this device: its sockets reconnect and identify themselves again. */
  "device:changed": z.object({ deviceId: z.string() }),
  /**
   * A process reports how its recent extractions from a site went. Site and outcome are names of
   * `common/site-status.ts`, or of a newer version; null withdraws the report.
   */
  "site:report": z.object({ by: z.string(), site: z.string(), outcome: z.string().nullable(), links: z.number() }),
  /** A process wants all others to send their `site:report`. */
  "site:asked": z.object({}),
  /** The block list has changed; each process reads it from the database. */
  "blocks:changed": z.object({}),
  /** Workers begin or cease to take jobs; each reads from the database which. */
  "intake:changed": z.object({}),
  /** Orders the worker of one process to take no jobs, or to take them again. Its next `operator:report` says that it did. */
  "worker:drain": z.object({ id: z.string(), isDrained: z.boolean() }),
  /** An operator looks at the page in this session's browser, for so long unless it is said again. */
  "operator:watching": z.object({ sessionId: z.string(), userId: z.string(), forMs: z.number() }),
  /** An operator looks: each process says how it is. */
  "operator:asked": z.object({}),
  "operator:report": ProcessReport,
  /** A ticket can be picked up. */
  ticket: z.object({ name: z.string(), ticketId: z.string(), runAtMs: z.number(), priority: z.number() }),
} as const;
export type SharedTopic = keyof typeof SHARED_EVENTS;

/**
 * Events that stay within the process that publishes them. Realtime sends them from there to the browsers of every
 * process; if the bus carried them to the other processes too, each browser would receive them several times.
 */
export interface LocalEvents {
  /** A job changed. */
  job: { audience: Audience; job: Job };
  /** A job was removed together with its file. */
  "job:removed": { audience: Audience; id: string };
  /** A user's tier or account has changed; each process reads the change from the database. */
  identity: { userId: string; tier: Tier };
  usage: { audience: Audience; usage: Usage };
  /** Something was refused because it is on the block list. */
  "block:refused": { kind: BlockKind };
  /** A message of the contact form was accepted by the mail server, or was not. */
  "contact:ended": { outcome: "sent" | "failed" };
  /** A message was sent to a webhook: taken, refused or without an answer, or so for the last time. */
  "webhook:tried": { result: "delivered" | "failed" | "given_up" };
  /** A job has ended, successfully or not. */
  "job:ended": {
    format: Format;
    outcome: "completed" | "canceled" | ConversionErrorCode;
    /** False for other sites, and where the file of an earlier job was used again. */
    isNewFromYouTube: boolean;
    /** Why the picture has fewer lines than the plan allows; absent where it has as many. */
    shortfall?: ShortfallReason;
  };
}

export type BusEvents = { [T in SharedTopic]: z.infer<(typeof SHARED_EVENTS)[T]> } & LocalEvents;
export type Topic = keyof BusEvents;

export function isSharedTopic(topic: Topic): topic is SharedTopic {
  return Object.hasOwn(SHARED_EVENTS, topic);
}

export interface Bus {
  /**
   * Delivers the message to every subscriber of the topic, at most once each, in order of publication:
   * {@link LocalEvents} within this process, all other events in every process. A message is lost while processes
   * cannot reach each other, so a subscriber that must not miss a change also reads the database.
   */
  publish<T extends Topic>(topic: T, message: BusEvents[T]): void;
  /** @returns a function that ends the subscription */
  subscribe<T extends Topic>(topic: T, handler: (message: BusEvents[T]) => void): () => void;
  close(): Promise<void>;
}

/** @returns the bus of a process that works alone */
export function createInProcessBus(): Bus {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    publish(topic, message) {
      const copy = structuredClone(message);
      // After the publisher's call has returned, so that a slow or throwing subscriber does not affect it.
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
