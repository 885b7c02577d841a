import { randomUUID } from "node:crypto";
import { z } from "zod";
import { createInProcessBus, isSharedTopic, SHARED_EVENTS, type Bus, type SharedTopic } from "../domain/bus.ts";
import type { RedisLink } from "./redis-link.ts";

const Envelope = z.object({ from: z.string(), topic: z.string(), message: z.unknown() });

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
      const text = JSON.stringify({ from: processId, topic, message });
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
  const { from, topic, message } = Envelope.parse(JSON.parse(text));
  // Own messages were delivered when they were published. A process of a newer version may send unknown topics.
  if (from !== processId && isKnown(topic)) deliver(local, topic, message);
}

function deliver(local: Bus, topic: SharedTopic, message: unknown): void {
  local.publish(topic, SHARED_EVENTS[topic].parse(message));
}

function isKnown(topic: string): topic is SharedTopic {
  return Object.hasOwn(SHARED_EVENTS, topic);
}
