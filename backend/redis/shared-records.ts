/**
 * Records that all processes read and change together. A change is made in one step: it is written only if no other
 * process has changed the record since it was read, and computed again otherwise. Each process keeps a copy; it is told
 * of changes and goes on with its copy while Redis is away. Afterwards both are joined.
 */
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { RedisLink } from "./redis-link.ts";

export interface SharedRecordsSettings<T> {
  /** Part of the names in Redis. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** A record that nobody has changed yet. */
  readonly initial: T;
  /** A record is forgotten when it was not changed for this long. */
  readonly keepMs: number;
  /** Joins what this process changed while Redis was away with what Redis has. Must be idempotent. */
  join(own: T, shared: T): T;
  onError(error: unknown): void;
}

/** A record, and the random name of its version; "" for one that is not in Redis, or was not read yet. */
interface Copy<T> {
  readonly version: string;
  readonly value: T;
}

/** More processes at the same moment are unlikely; a change that fails so often is made in this process alone. */
const MAX_TRIES = 50;

/** Writes a record if it still has the expected version, and tells all processes. */
const WRITE_SCRIPT = `
local current = redis.call('HMGET', KEYS[1], 'version', 'value')
if (current[1] or '') ~= ARGV[1] then return current end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'value', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 1`;

const Stored = z.tuple([z.string().nullable(), z.string().nullable()]);
const Written = z.union([z.literal(1), Stored]);
/** Which record was changed, by which process. */
const Change = z.object({ key: z.string(), from: z.string() });

export class RedisSharedRecords<T> {
  readonly #link: RedisLink;
  readonly #settings: SharedRecordsSettings<T>;
  readonly #copies = new Map<string, Copy<T>>();
  /** Records that were changed while Redis was away. */
  readonly #changedAlone = new Set<string>();
  readonly #handlers: (() => void)[] = [];
  readonly #processId = randomUUID();

  private constructor(link: RedisLink, settings: SharedRecordsSettings<T>) {
    this.#link = link;
    this.#settings = settings;
  }

  /** @returns the records, when this process is told of changes by others */
  static async open<T>(link: RedisLink, settings: SharedRecordsSettings<T>): Promise<RedisSharedRecords<T>> {
    const records = new RedisSharedRecords(link, settings);
    const listener = link.openListener();
    listener.on("message", (_channel, text: string) => void records.#receive(text));
    await listener.subscribe(records.#channel);
    link.onChange((isUp) => {
      if (isUp) void records.#rejoin(listener);
    });
    return records;
  }

  /** @returns this process's copy. The first call for a record fetches it; handlers are called when it has arrived. */
  get(key: string): T {
    const copy = this.#copies.get(key);
    if (copy) return copy.value;
    this.#copies.set(key, { version: "", value: this.#settings.initial });
    void this.#fetch(key);
    return this.#settings.initial;
  }

  /**
   * Changes a record in one step. Never rejects: what Redis does not accept is changed in this process alone.
   * @param change called again when another process was faster; undefined leaves the record as it is
   * @returns the new record, or undefined when `change` returned that
   */
  async update(key: string, change: (value: T) => T | undefined): Promise<T | undefined> {
    for (let tries = 0; tries < MAX_TRIES && this.#link.isUp(); tries += 1) {
      const before = this.#copies.get(key);
      const copy = before ?? { version: "", value: this.#settings.initial };
      const value = change(copy.value);
      if (value === undefined) return undefined;
      const written = await this.#write(key, copy.version, value).catch((error: unknown) => this.#report(error));
      if (written === undefined) break;
      if (written.isOwn) {
        this.#changedAlone.delete(key);
        if (this.#copies.get(key) === before) this.#keep(key, written.copy);
        // What another process wrote after this has been fetched already, or this process made a further change.
        else await this.#fetch(key);
        return value;
      }
      // A copy that was fetched meanwhile is newer than this answer.
      if (this.#copies.get(key) === before) this.#keepShared(key, written.copy);
    }
    const value = change(this.get(key));
    if (value === undefined) return undefined;
    this.#changedAlone.add(key);
    this.#keep(key, { version: this.#copies.get(key)?.version ?? "", value });
    return value;
  }

  /** Calls the handler after each change, also of another process. */
  onChange(handler: () => void): void {
    this.#handlers.push(handler);
  }

  get #channel(): string {
    return `${this.#link.prefix}:${this.#settings.name}:changes`;
  }

  #keyOf(key: string): string {
    return `${this.#link.prefix}:${this.#settings.name}:${key}`;
  }

  /** @returns what Redis has now, and whether it is the written value */
  async #write(key: string, version: string, value: T): Promise<{ copy: Copy<T>; isOwn: boolean }> {
    const next = randomUUID();
    const text = JSON.stringify(value);
    const message = JSON.stringify({ key, from: this.#processId });
    const about = [version, next, text, this.#settings.keepMs, this.#channel, message];
    const reply = Written.parse(await this.#link.commands.eval(WRITE_SCRIPT, 1, this.#keyOf(key), ...about));
    return reply === 1 ? { copy: { version: next, value }, isOwn: true } : { copy: this.#parse(reply), isOwn: false };
  }

  async #fetch(key: string): Promise<void> {
    if (!this.#link.isUp()) return;
    try {
      const reply = await this.#link.commands.hmget(this.#keyOf(key), "version", "value");
      this.#keepShared(key, this.#parse(Stored.parse(reply)));
    } catch (error) {
      this.#report(error);
    }
  }

  /** A record that a process of another version wrote in another form counts as new, and is overwritten. */
  #parse([version, text]: z.infer<typeof Stored>): Copy<T> {
    const { schema, initial } = this.#settings;
    if (version === null || text === null) return { version: "", value: initial };
    try {
      return { version, value: schema.parse(JSON.parse(text)) };
    } catch (error) {
      this.#settings.onError(error);
      return { version, value: initial };
    }
  }

  /** Keeps what Redis has. A change that was made alone and is not written yet stays in it. */
  #keepShared(key: string, shared: Copy<T>): void {
    const own = this.#copies.get(key);
    const isUnwritten = own !== undefined && this.#changedAlone.has(key);
    this.#keep(key, isUnwritten ? { ...shared, value: this.#settings.join(own.value, shared.value) } : shared);
  }

  #keep(key: string, copy: Copy<T>): void {
    this.#copies.set(key, copy);
    for (const handler of this.#handlers) handler();
  }

  async #receive(text: string): Promise<void> {
    try {
      const { key, from } = Change.parse(JSON.parse(text));
      if (from !== this.#processId && this.#copies.has(key)) await this.#fetch(key);
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  /** Joins all copies with what Redis has, which is nothing if it was restarted. */
  async #rejoin(listener: Redis): Promise<void> {
    // The library subscribes again by itself, but a change between the reading and that would be missed.
    await listener.subscribe(this.#channel).catch((error: unknown) => this.#report(error));
    for (const key of this.#copies.keys()) this.#changedAlone.add(key);
    for (const key of this.#copies.keys()) await this.update(key, (value) => value);
  }

  #report(error: unknown): undefined {
    // That Redis is gone has been logged.
    if (this.#link.isUp()) this.#settings.onError(error);
    return undefined;
  }
}
