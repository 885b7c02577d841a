/** The bus of processes that share a Redis. Within a process it works as ever, with Redis or without. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { createInProcessBus, isSharedTopic, SHARED_EVENTS, type Bus, type SharedTopic } from "../domain/bus.ts";
import type { RedisLink } from "./redis-link.ts";

const Envelope = z.object({ from: z.string(), topic: z.string(), message: z.unknown() });

/**
 * Ready to hear everybody when it is returned. Words said while Redis is away reach this process
 * alone; none are kept for later.
 */
export async function openRedisBus(link: RedisLink, onError: (error: unknown) => void): Promise<Bus> {
  const local = createInProcessBus();
  const ourName = randomUUID();
  const channel = `${link.prefix}:bus`;
  const listener = link.open();
  listener.on("message", (_channel, text: string) => {
    try {
      const { from, topic, message } = Envelope.parse(JSON.parse(text));
      // Ours were told at once; and a newer version may say what we do not know yet.
      if (from !== ourName && isKnown(topic)) deliver(topic, message);
    } catch (error) {
      onError(error);
    }
  });
  function deliver(topic: SharedTopic, message: unknown): void {
    local.publish(topic, SHARED_EVENTS[topic].parse(message));
  }
  await listener.subscribe(channel);
  return {
    publish(topic, message) {
      local.publish(topic, message);
      if (!isSharedTopic(topic) || link.commands.status !== "ready") return;
      link.commands.publish(channel, JSON.stringify({ from: ourName, topic, message })).catch((error: unknown) => {
        // Lost with Redis, as all that is said while it is away.
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

function isKnown(topic: string): topic is SharedTopic {
  return Object.hasOwn(SHARED_EVENTS, topic);
}
