import { randomUUID } from "node:crypto";
import { z } from "zod";
import { createInProcessBus, isSharedTopic, SHARED_EVENTS, type Bus, type SharedTopic } from "../domain/bus.ts";
import type { RedisLink } from "./redis-link.ts";

const Envelope = z.object({ from: z.string(), topic: z.string(), message: z.unknown() });

/** Names in Redis that differ from those in the code, because processes of the previous version use them. */
const NAMES_IN_REDIS: Readonly<Partial<Record<SharedTopic, string>>> = { "job:stop": "job:canceled" };
const TOPICS_BY_NAME: ReadonlyMap<string, SharedTopic> = new Map(
  (Object.keys(SHARED_EVENTS) as SharedTopic[]).map((topic) => [NAMES_IN_REDIS[topic] ?? topic, topic]),
);

/**
 * Opens a bus for processes that share a Redis. Messages reach subscribers in the same process directly, with or
 * without Redis. While Redis is away, messages to other processes are lost.
 * @param onError called when a message could not be read or sent
 * @returns the bus, when it is subscribed to the messages of the other processes
 */
export async function openRedisBus(link: RedisLink, onError: (error: unknown) => void): Promise<Bus> {
  const local = createInProcessBus();
  const processId = randomUUID();
  const channel = `${link.prefix}:bus`;
  const listener = link.openListener();
  listener.on("message", (_channel, text: string) => {
    try {
      receive(local, processId, text);
    } catch (error) {
      onError(error);
    }
  });
  await listener.subscribe(channel);
  return {
    publish(topic, message) {
      local.publish(topic, message);
      if (!isSharedTopic(topic) || link.commands.status !== "ready") return;
      const text = JSON.stringify({ from: processId, topic: NAMES_IN_REDIS[topic] ?? topic, message });
      link.commands.publish(channel, text).catch((error: unknown) => {
        // Without Redis the message is lost like every other one.
        if (link.isUp()) onError(error);
      });
    },
    subscribe: (topic, handler) => local.subscribe(topic, handler),
    async close() {
      listener.disconnect();
      await local.close();
    },
  };
}

/** Publishes a message of another process within this one. @throws when the message cannot be read */
function receive(local: Bus, processId: string, text: string): void {
  const { from, topic: name, message } = Envelope.parse(JSON.parse(text));
  const topic = TOPICS_BY_NAME.get(name);
  // Own messages were delivered when they were published. A process of a newer version may send unknown topics.
  if (from !== processId && topic !== undefined) deliver(local, topic, message);
}

function deliver(local: Bus, topic: SharedTopic, message: unknown): void {
  local.publish(topic, SHARED_EVENTS[topic].parse(message));
}
