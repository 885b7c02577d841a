/**
 * One process's way to Redis. Redis is never the truth here, only the quickest way to tell others:
 * a command that cannot be sent at once fails at once, nothing waits for its return.
 */
import { Redis } from "ioredis";

/** Streams came with Redis 5. */
const OLDEST_MAJOR = 5;
/** The first connection is there or it is not; nobody waits long to be told. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than any command of ours takes; then the connection counts as dead. */
const COMMAND_TIMEOUT_MS = 2_000;
/** A listener that hears nothing for so long, not even the answer to a ping, connects anew. */
const SILENCE_MS = 15_000;
const MAX_RECONNECT_DELAY_MS = 1_000;
/** How often Redis is asked whether it is still there: a machine that is gone closes no connection. */
const PING_INTERVAL_MS = 2_000;

/** Redis cannot be used; the message is the end of a sentence that says why. */
export class RedisUnusable extends Error {}

export interface RedisLink {
  /** Fails at once while there is no connection; otherwise within two seconds. */
  readonly commands: Redis;
  /** What every name of ours in Redis begins with. */
  readonly prefix: string;
  /** Whether we can both speak and hear. */
  isUp(): boolean;
  /** Told when the connection is lost and when it is back. Returns what ends the telling. */
  onChange(handler: (isUp: boolean) => void): () => void;
  /** A connection of its own for listening: what is asked of it waits until Redis is there. Closed with the link. */
  open(): Redis;
  close(): Promise<void>;
}

export interface RedisLog {
  info(data: object, text: string): void;
  warn(data: object, text: string): void;
}

/** @throws RedisUnusable when it cannot be reached, wants another password or is too old */
export async function openRedis(
  url: string,
  { prefix, log }: { readonly prefix: string; readonly log: RedisLog },
): Promise<RedisLink> {
  const options = {
    // What all versions of the server speak alike.
    protocol: 2 as const,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: 5_000,
    retryStrategy: (tries: number) =>
      Math.min(MAX_RECONNECT_DELAY_MS, 20 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random() / 2),
  };
  const commands = new Redis(url, {
    ...options,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  let lastError: Error | undefined;
  commands.on("error", (error: Error) => {
    lastError = error;
  });
  try {
    await commands.connect();
    checkVersion(await commands.info("server"));
  } catch (error) {
    commands.disconnect();
    if (error instanceof RedisUnusable) throw error;
    const reason = lastError ?? (error instanceof Error ? error : new Error(String(error)));
    throw new RedisUnusable(
      `does not answer as it should (${reason.message || (reason as NodeJS.ErrnoException).code || reason.name})`,
      { cause: error },
    );
  }

  const opened = new Set<Redis>();
  /** Those that have heard before: one that is only just being opened has missed nothing. */
  const listening = new Set<Redis>();
  const handlers = new Set<(isUp: boolean) => void>();
  let isUp = true;
  let isClosed = false;
  const look = () => {
    // One that has ended was closed by us.
    const now = [commands, ...listening].every(({ status }) => status === "ready" || status === "end");
    if (isUp === now) return;
    isUp = now;
    if (now) log.info({}, "Redis is back");
    else log.warn({ error: lastError }, "Redis is gone; live news stop until it is back");
    for (const handler of handlers) handler(now);
  };
  commands.on("close", look);
  commands.on("ready", look);
  const pinging = setInterval(() => {
    // A blocking read answers first, then this.
    for (const listener of opened) if (listener.status === "ready") listener.ping().catch(() => undefined);
    if (commands.status !== "ready") return;
    commands.ping().catch((error: unknown) => {
      lastError = error instanceof Error ? error : undefined;
      if (commands.status === "ready") commands.disconnect(true);
    });
  }, PING_INTERVAL_MS);

  return {
    commands,
    prefix,
    isUp: () => isUp && !isClosed,
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    open() {
      const listener = new Redis(url, { ...options, maxRetriesPerRequest: null, socketTimeout: SILENCE_MS });
      // Said once, by the connection for commands.
      listener.on("error", () => undefined);
      listener.on("ready", () => {
        listening.add(listener);
        look();
      });
      listener.on("close", look);
      listener.once("end", () => {
        opened.delete(listener);
        listening.delete(listener);
        look();
      });
      opened.add(listener);
      return listener;
    },
    async close() {
      isClosed = true;
      clearInterval(pinging);
      handlers.clear();
      listening.clear();
      commands.removeAllListeners("close");
      // What was sent last still arrives.
      if (commands.status === "ready") await commands.quit().catch(() => undefined);
      for (const connection of [commands, ...opened]) connection.disconnect();
    },
  };
}

function checkVersion(info: string): void {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR))
    throw new RedisUnusable(`is version ${version}, but ${OLDEST_MAJOR}.0 or newer is needed`);
}
