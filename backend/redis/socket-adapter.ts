/**
 * Socket.IO between processes, over a stream in Redis: what one emits reaches the browsers of all,
 * and a browser that comes back to another process is given what it missed.
 */
import { createAdapter } from "@socket.io/redis-streams-adapter";
import type { Redis } from "ioredis";
import type { Server } from "socket.io";
import type { RedisLink } from "./redis-link.ts";

/** Entries read at a time: a browser that was away in a busy hour has missed many thousands. */
const READ_AT_ONCE = 500;

export type SocketAdapter = Exclude<Parameters<Server["adapter"]>[0], undefined>;

export interface SocketAdapterSettings {
  /** False: of a process without browsers, which only tells. */
  readonly hasBrowsers: boolean;
  /** About so many entries are kept, of the newest. */
  readonly maxLength: number;
}

export function createSocketAdapter(link: RedisLink, { hasBrowsers, maxLength }: SocketAdapterSettings): SocketAdapter {
  const name = (part: string) => `${link.prefix}:sockets:${part}`;
  return createAdapter(adapterClient(link, hasBrowsers), {
    streamName: name("stream"),
    channelPrefix: name("words"),
    sessionKeyPrefix: name("session:"),
    maxLen: maxLength,
    readCount: READ_AT_ONCE,
    onlyPlaintext: true,
  }) as SocketAdapter;
}

/**
 * The library leaves some of its commands to themselves, and a rejection that nobody awaits ends the
 * process. Failing is no news to us here, so those commands never do.
 */
function adapterClient(link: RedisLink, hasBrowsers: boolean): object {
  const { commands } = link;
  const mild = <T>(command: Promise<T>): Promise<T | null> => command.catch(() => null);
  return {
    options: {},
    // Awaited, and rejecting as it should: then what was to be told is told within the process.
    xadd: (args: Parameters<Redis["xadd"]>) => commands.xadd(...args),
    xrange: (stream: string, start: string, end: string) => commands.xrange(stream, start, end, "COUNT", READ_AT_ONCE),
    multi: () => commands.multi(),
    set: (key: string, value: string, unit: "PX", ttlMs: number) =>
      ttlMs > 0 ? mild(commands.set(key, value, unit, ttlMs)) : undefined,
    publish: (channel: string, payload: Buffer) => mild(commands.publish(channel, payload)),
    send_command: (command: string, args: string[], done: (error: Error | null, result?: unknown) => void) =>
      void commands.call(command, ...args).then(
        (result) => done(null, result),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      ),
    duplicate: () => (hasBrowsers ? listeningClient(link.open()) : DEAF),
  };
}

/** Waits for Redis whenever it is away, and goes on where it was. */
function listeningClient(client: Redis): object {
  return {
    on: client.on.bind(client),
    xread: (...args: unknown[]) => client.call("xread", ...(args as string[])),
    subscribe: (channels: string[]) => void client.subscribe(...channels).catch(() => undefined),
    disconnect: () => client.disconnect(),
  };
}

/** Hears nothing: whoever has no browsers needs not know what others tell theirs. */
const DEAF = {
  on: () => undefined,
  xread: () => new Promise<never>(() => undefined),
  subscribe: () => undefined,
  disconnect: () => undefined,
};
