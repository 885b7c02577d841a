/**
 * Work that one of several processes does for all of them. The one that does it has a lease; the others wait for the
 * result, or take over when the lease ends. While Redis is away, each process works for itself.
 */
import { createHash, randomUUID } from "node:crypto";
import { untilFound } from "../../common/waiting.ts";
import type { RedisLink } from "./redis-link.ts";

export interface SharedResultsSettings {
  /** Part of the names in Redis. */
  readonly name: string;
  /** The work of a process that has died is taken over after this time. */
  readonly leaseMs: number;
  onError(error: unknown): void;
}

/** Mean time between two looks. */
const LOOK_MS = 100;

/** Renews or ends a lease, if it is still the caller's. */
const RENEW_SCRIPT = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end";
const END_SCRIPT = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end";

/** Redis answers nothing else meanwhile; so many take well below a millisecond. */
const NAMES_PER_LOOK = 1_000;

interface Turn extends AsyncDisposable {
  keep(result: Buffer, keepMs: number): Promise<void>;
}

/** Without Redis nobody waits for the result. */
const ALONE: Turn = { keep: () => Promise.resolve(), [Symbol.asyncDispose]: () => Promise.resolve() };

export class RedisSharedResults {
  readonly #link: RedisLink;
  readonly #settings: SharedResultsSettings;

  constructor(link: RedisLink, settings: SharedResultsSettings) {
    this.#link = link;
    this.#settings = settings;
  }

  /**
   * Waits while another process does the work.
   * @returns its result, or the turn to do the work, which ends when it is disposed of
   * @throws `signal.reason` when aborted
   */
  async acquire(key: string, signal: AbortSignal): Promise<{ result: Buffer } | { turn: Turn }> {
    const names = this.#namesOf(key);
    const holder = randomUUID();
    return untilFound(() => this.#try(() => this.#resultOrTurn(names, holder), { turn: ALONE }), {
      everyMs: LOOK_MS,
      isVaried: true,
      signal,
    });
  }

  async forget(key: string): Promise<void> {
    await this.#try(() => this.#link.commands.del(this.#namesOf(key).result), 0);
  }

  /** Looks through all names in Redis. There are few results at a time, because they are kept for ten minutes at most. */
  async forgetAll(): Promise<void> {
    const { commands, prefix } = this.#link;
    await this.#try(async () => {
      let cursor = "0";
      do {
        const [next, names] = await commands.scan(
          cursor,
          "MATCH",
          `${prefix}:${this.#settings.name}:*:result`,
          "COUNT",
          NAMES_PER_LOOK,
        );
        if (names.length > 0) await commands.del(...names);
        cursor = next;
      } while (cursor !== "0");
    }, undefined);
  }

  /** @returns undefined while another process works */
  async #resultOrTurn(names: Names, holder: string): Promise<{ result: Buffer } | { turn: Turn } | undefined> {
    const { commands } = this.#link;
    const result = await commands.getBuffer(names.result);
    if (result) return { result };
    const { leaseMs } = this.#settings;
    if ((await commands.set(names.lease, holder, "PX", leaseMs, "NX")) === null) return undefined;
    const turn = this.#turn(names, holder);
    // Another process may have kept its result just before its lease ended.
    const late = await commands.getBuffer(names.result);
    if (!late) return { turn };
    await turn[Symbol.asyncDispose]();
    return { result: late };
  }

  #turn(names: Names, holder: string): Turn {
    const { commands } = this.#link;
    const { leaseMs } = this.#settings;
    const renew = (): void =>
      void this.#try(() => commands.eval(RENEW_SCRIPT, 1, names.lease, holder, leaseMs), undefined);
    const renewal = setInterval(renew, leaseMs / 3);
    return {
      keep: async (result, keepMs) => {
        await this.#try(() => commands.set(names.result, result, "PX", Math.ceil(keepMs)), null);
      },
      [Symbol.asyncDispose]: async () => {
        clearInterval(renewal);
        await this.#try(() => commands.eval(END_SCRIPT, 1, names.lease, holder), undefined);
      },
    };
  }

  #try<T>(command: () => Promise<T>, otherwise: T): Promise<T> {
    return this.#link.attempt(command, otherwise, (error) => this.#settings.onError(error));
  }

  /** Hashed: keys contain links of visitors and may be long. */
  #namesOf(key: string): Names {
    const name = `${this.#link.prefix}:${this.#settings.name}:${createHash("sha256").update(key).digest("base64url")}`;
    return { result: `${name}:result`, lease: `${name}:lease` };
  }
}

interface Names {
  readonly result: string;
  readonly lease: string;
}
