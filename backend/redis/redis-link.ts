import { Redis } from "ioredis";
import { doublingDelay } from "../../common/doubling-delay.ts";

/** Streams need Redis 5. */
const OLDEST_MAJOR = 5;
/** A start that cannot reach Redis fails after this time. */
const CONNECT_TIMEOUT_MS = 3_000;
/** By default, as in the settings. Longer than any of our commands takes. */
const COMMAND_TIMEOUT_MS = 2_000;
/** A listener that receives nothing for this long, not even the answer to a ping, reconnects. */
const SILENCE_MS = 15_000;
const MAX_RECONNECT_DELAY_MS = 1_000;
/** By default. Pings detect a machine that is gone, because such a machine closes no connection. */
const PING_INTERVAL_MS = 2_000;

/** Redis cannot be used. The message is the end of a sentence and says why. */
export class RedisUnusable extends Error {}

export interface RedisLog {
  info(data: object, text: string): void;
  warn(data: object, text: string): void;
}

export interface RedisSettings {
  /** All our names in Redis begin with it. */
  readonly prefix: string;
  readonly log: RedisLog;
  /** A command fails after this time, and the connection then counts as dead. */
  readonly commandTimeoutMs?: number;
  readonly pingIntervalMs?: number;
}

/**
 * Connects to Redis.
 * @throws RedisUnusable when it cannot be reached, rejects the password or is too old
 */
export async function openRedis(url: string, settings: RedisSettings): Promise<RedisLink> {
  const link = new RedisLink(url, settings);
  await link.connect();
  return link;
}

const CONNECTION_OPTIONS = {
  // All supported versions of Redis know this version of its protocol.
  protocol: 2 as const,
  connectTimeout: CONNECT_TIMEOUT_MS,
  keepAlive: 5_000,
  retryStrategy: (tries: number) => doublingDelay(tries, 20, MAX_RECONNECT_DELAY_MS) * (0.5 + Math.random() / 2),
};

/**
 * After a reconnect ioredis subscribes again by itself, and nobody awaits that. If the connection is closed before Redis
 * has answered, the rejection that nobody handles would end the process. Callers still see the rejections of theirs.
 */
class Listener extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis["sendCommand"]>): unknown {
    command.promise.catch(() => undefined);
    return super.sendCommand(command, stream);
  }
}

/**
 * The connections of this process to Redis: one for commands, and one for each listener. Redis stores nothing that must
 * survive, so a command that cannot be sent at once fails at once instead of waiting until Redis is back.
 */
export class RedisLink {
  /** Fails at once while there is no connection, otherwise after the time for commands. */
  readonly commands: Redis;
  readonly prefix: string;
  readonly #url: string;
  readonly #log: RedisLog;
  readonly #pingIntervalMs: number;
  readonly #listeners = new Set<Redis>();
  /** Listeners that have been connected before: one that still connects for the first time has missed nothing. */
  readonly #readyListeners = new Set<Redis>();
  readonly #handlers = new Set<(isUp: boolean) => void>();
  #pinging: NodeJS.Timeout | undefined;
  #lastError: Error | undefined;
  #isUp = true;
  #isClosed = false;

  constructor(url: string, settings: RedisSettings) {
    const { prefix, log, commandTimeoutMs = COMMAND_TIMEOUT_MS, pingIntervalMs = PING_INTERVAL_MS } = settings;
    this.#url = url;
    this.prefix = prefix;
    this.#log = log;
    this.#pingIntervalMs = pingIntervalMs;
    this.commands = new Redis(url, {
      ...CONNECTION_OPTIONS,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: commandTimeoutMs,
    });
    this.commands.on("error", (error: Error) => {
      this.#lastError = error;
    });
  }

  /** @throws RedisUnusable as `openRedis` */
  async connect(): Promise<void> {
    try {
      await this.commands.connect();
      checkVersion(await this.commands.info("server"));
    } catch (error) {
      this.commands.disconnect();
      throw error instanceof RedisUnusable ? error : unreachable(this.#lastError ?? error, error);
    }
    this.commands.on("close", () => this.#update());
    this.commands.on("ready", () => this.#update());
    this.#pinging = setInterval(() => this.#ping(), this.#pingIntervalMs);
  }

  /** Whether commands and all listeners are connected. */
  isUp(): boolean {
    return this.#isUp && !this.#isClosed;
  }

  /**
   * Runs a command where going on without Redis is possible.
   * @param onError gets errors while Redis is there; that it is gone has been logged
   * @returns `otherwise` when Redis does not answer
   */
  async attempt<T>(command: () => Promise<T>, otherwise: T, onError: (error: unknown) => void): Promise<T> {
    if (!this.isUp()) return otherwise;
    try {
      return await command();
    } catch (error) {
      if (this.isUp()) onError(error);
      return otherwise;
    }
  }

  /**
   * Calls the handler when the connection is lost and when it is back.
   * @returns unsubscribes the handler
   */
  onChange(handler: (isUp: boolean) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Opens a connection for subscriptions and blocking reads. Its commands wait for Redis. `close` closes it too. */
  openListener(): Redis {
    const listener = new Listener(this.#url, {
      ...CONNECTION_OPTIONS,
      maxRetriesPerRequest: null,
      socketTimeout: SILENCE_MS,
    });
    // The connection for commands reports the same errors.
    listener.on("error", () => undefined);
    listener.on("ready", () => {
      this.#readyListeners.add(listener);
      this.#update();
    });
    listener.on("close", () => this.#update());
    listener.once("end", () => {
      this.#listeners.delete(listener);
      this.#readyListeners.delete(listener);
      this.#update();
    });
    this.#listeners.add(listener);
    return listener;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pinging);
    this.#handlers.clear();
    this.#readyListeners.clear();
    this.commands.removeAllListeners("close");
    // `quit` waits until the commands sent before have arrived.
    if (this.commands.status === "ready") await this.commands.quit().catch(() => undefined);
    for (const connection of [this.commands, ...this.#listeners]) connection.disconnect();
  }

  /** Compares the state of all connections with the last one and calls the handlers if it has changed. */
  #update(): void {
    // A connection with status "end" was closed on purpose.
    const isUp = [this.commands, ...this.#readyListeners].every(({ status }) => status === "ready" || status === "end");
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    if (isUp) this.#log.info({}, "Redis is back");
    else
      this.#log.warn(
        { error: this.#lastError },
        "Redis is gone; until it is back, sockets are closed and each process goes on alone",
      );
    for (const handler of this.#handlers) handler(isUp);
  }

  #ping(): void {
    // Redis answers this after the blocking read of the same connection.
    for (const listener of this.#listeners) if (listener.status === "ready") listener.ping().catch(() => undefined);
    if (this.commands.status !== "ready") return;
    this.commands.ping().catch((error: unknown) => {
      this.#lastError = error instanceof Error ? error : undefined;
      // `disconnect` would wait for the other side, and count as connected until then; each ping would call it again.
      if (this.commands.status === "ready") this.commands.stream.destroy();
    });
  }
}

function unreachable(reason: unknown, cause: unknown): RedisUnusable {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  const text = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return new RedisUnusable(`does not answer as it should (${text})`, { cause });
}

function checkVersion(info: string): void {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR))
    throw new RedisUnusable(`is version ${version}, but ${OLDEST_MAJOR}.0 or newer is needed`);
}
