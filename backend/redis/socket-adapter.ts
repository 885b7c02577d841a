/**
 * Connects the Socket.IO servers of all processes through a stream in Redis: an event of one process reaches the
 * browsers of all, and a browser that reconnects to another process gets the events that it missed.
 */
import { createAdapter } from "@socket.io/redis-streams-adapter";
import type { Redis } from "ioredis";
import type { Server } from "socket.io";
import type { RedisLink } from "./redis-link.ts";

/**
 * Entries of the stream name jobs and their owners, so they are deleted after an hour, as long as a file of the free
 * plan is kept. A browser that received its last event before that gets only a snapshot.
 */
const KEPT_MS = 60 * 60 * 1_000;
/** Old entries are deleted in steps of so many, once for each new entry. */
const DELETE_COUNT = 100;

/** Deletes old entries, and the whole stream if nothing is added for as long. `XTRIM MINID` needs Redis 6.2. */
const EXPIRE_SCRIPT = `
local now = redis.call('TIME')[1] * 1000
local old = redis.call('XRANGE', KEYS[1], '-', string.format('%.0f', now - ARGV[1]), 'COUNT', ARGV[2])
for _, entry in ipairs(old) do redis.call('XDEL', KEYS[1], entry[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** Entries per read: a browser that was away for two minutes in a busy hour has missed many thousands. */
const READ_COUNT = 500;

export type SocketAdapter = Exclude<Parameters<Server["adapter"]>[0], undefined>;

export interface SocketAdapterSettings {
  /** False for a process that only emits events, such as a worker. */
  readonly hasBrowsers: boolean;
  /** Approximate number of entries that the stream keeps. */
  readonly maxLength: number;
  /** How long an entry is kept; an hour by default. */
  readonly keptMs?: number;
}

/** Creates the adapter for `Server.adapter` of Socket.IO. */
export function createSocketAdapter(
  link: RedisLink,
  { hasBrowsers, maxLength, keptMs = KEPT_MS }: SocketAdapterSettings,
): SocketAdapter {
  const name = (part: string) => `${link.prefix}:sockets:${part}`;
  return createAdapter(adapterClient(link, hasBrowsers, keptMs), {
    streamName: name("stream"),
    channelPrefix: name("words"),
    sessionKeyPrefix: name("session:"),
    maxLen: maxLength,
    readCount: READ_COUNT,
    onlyPlaintext: true,
  }) as SocketAdapter;
}

/**
 * The adapter does not await some of its commands, and an unhandled rejection would end the process. Those commands
 * therefore never reject here; RedisLink reports that Redis is away.
 */
function adapterClient(link: RedisLink, hasBrowsers: boolean, keptMs: number): object {
  const { commands } = link;
  const ignoreErrors = <T>(command: Promise<T>): Promise<T | null> => command.catch(() => null);
  return {
    options: {},
    // Awaited by the adapter: after a rejection it emits the event within this process only.
    xadd: (args: Parameters<Redis["xadd"]>) => {
      const added = commands.xadd(...args);
      void ignoreErrors(commands.eval(EXPIRE_SCRIPT, 1, args[0], keptMs, DELETE_COUNT));
      return added;
    },
    xrange: (stream: string, start: string, end: string) => commands.xrange(stream, start, end, "COUNT", READ_COUNT),
    multi: () => commands.multi(),
    set: (key: string, value: string, unit: "PX", ttlMs: number) =>
      ttlMs > 0 ? ignoreErrors(commands.set(key, value, unit, ttlMs)) : undefined,
    publish: (channel: string, payload: Buffer) => ignoreErrors(commands.publish(channel, payload)),
    send_command: (command: string, args: string[], done: (error: Error | null, result?: unknown) => void) =>
      void commands.call(command, ...args).then(
        (result) => done(null, result),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      ),
    duplicate: () => (hasBrowsers ? listeningClient(link.openListener()) : SILENT_CLIENT),
  };
}

/** Its commands wait while Redis is away; reading goes on where it stopped. */
function listeningClient(client: Redis): object {
  return {
    on: client.on.bind(client),
    xread: (...args: unknown[]) => client.call("xread", ...(args as string[])),
    subscribe: (channels: string[]) => void client.subscribe(...channels).catch(() => undefined),
    disconnect: () => client.disconnect(),
  };
}

/** Receives nothing: a process without browsers has no use for the events of others. */
const SILENT_CLIENT = {
  on: () => undefined,
  xread: () => new Promise<never>(() => undefined),
  subscribe: () => undefined,
  disconnect: () => undefined,
};
