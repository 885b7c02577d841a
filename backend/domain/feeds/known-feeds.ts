/**
 * What this process knows of the feeds that apps poll: the entity tag of each, so that a poll of a feed that has not
 * changed asks no database. A change comes by the bus and is read again; one that was lost on its way is seen a minute
 * later.
 */
import { MINUTE_MS } from "../../../common/durations.ts";
import type { Domain } from "../domain.ts";
import { hashSecret } from "../hash-secret.ts";
import { RecentMap } from "../recent-map.ts";
import { openFeed, type OpenedFeed } from "./feeds.ts";

const KNOWN_MS = MINUTE_MS;
/** Some hundred bytes each. */
const MAX_KNOWN = 10_000;

interface KnownFeed {
  readonly tag: string;
  readonly userId: string;
  /** When the first of its tapes expires. */
  readonly endsAtMs: number;
}

export interface ReadFeed extends OpenedFeed {
  readonly tag: string;
}

export class KnownFeeds {
  readonly #domain: Domain;
  readonly #makeTag: (feed: OpenedFeed) => string;
  /** By the hashes of their keys, and those hashes by users. */
  readonly #feeds = new RecentMap<KnownFeed>({ keptMs: KNOWN_MS, maxSize: MAX_KNOWN });
  readonly #hashes = new RecentMap<string>({ keptMs: KNOWN_MS, maxSize: MAX_KNOWN });
  /** What is being read, by the hashes of keys. */
  readonly #reading = new Map<string, Promise<ReadFeed | null>>();

  /** @param makeTag gives an entity tag for what apps get of a feed */
  constructor(domain: Domain, makeTag: (feed: OpenedFeed) => string) {
    this.#domain = domain;
    this.#makeTag = makeTag;
    domain.bus.subscribe("feed:changed", ({ userId }) => this.#forget(userId));
    domain.blocks.onChange(() => this.#forgetAll());
  }

  /** @returns the entity tag of the feed as it is; undefined when it must be read */
  tagOf(key: string): string | undefined {
    const known = this.#feeds.get(hashSecret(key));
    return known && known.endsAtMs > Date.now() ? known.tag : undefined;
  }

  /**
   * Reads a feed, once for all who ask at the same time.
   * @returns null when there is none
   * @throws UserError access_blocked
   */
  async read(key: string): Promise<ReadFeed | null> {
    const hash = hashSecret(key);
    const begun = this.#reading.get(hash);
    if (begun) return begun;
    const reading = this.#open(key);
    this.#reading.set(hash, reading);
    // A change that comes meanwhile takes it out: what is being read may be older.
    const isCurrent = () => this.#reading.get(hash) === reading;
    try {
      const feed = await reading;
      if (feed && isCurrent()) this.#remember(hash, feed);
      return feed;
    } finally {
      if (isCurrent()) this.#reading.delete(hash);
    }
  }

  async #open(key: string): Promise<ReadFeed | null> {
    const feed = await openFeed(this.#domain, key);
    return feed && { ...feed, tag: this.#makeTag(feed) };
  }

  #remember(hash: string, { tag, userId, tapes }: ReadFeed): void {
    const endsAtMs = Math.min(...tapes.map(({ expiresAt }) => expiresAt.getTime()));
    this.#feeds.set(hash, { tag, userId, endsAtMs });
    this.#hashes.set(userId, hash);
  }

  #forget(userId: string): void {
    this.#reading.clear();
    const hash = this.#hashes.get(userId);
    if (hash === undefined) return;
    this.#feeds.delete(hash);
    this.#hashes.delete(userId);
  }

  #forgetAll(): void {
    this.#reading.clear();
    this.#feeds.clear();
    this.#hashes.clear();
  }
}
