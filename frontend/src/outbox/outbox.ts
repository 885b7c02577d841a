/**
 * Sends what the visitor asks for until the server has answered: at once, and again whenever the
 * network may be back. It knows nothing of what a wish means, only that it must arrive once.
 */
import { createStore } from "zustand/vanilla";
import { ApiError } from "../api/api.ts";
import { MAX_WISHES, STORAGE_KEY, WISH_LIFE_MS, readWishes, targetOf, writeWishes } from "./entries.ts";
import type { Wish, WishStorage } from "./entries.ts";

/** Before a wish is shown as waiting: a network that stumbles is back by then. */
const QUICK_WAITS_MS = [250, 750] as const;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Answers that speak of the moment and not of the wish: a server that starts, a limit that passes. */
const PASSING = new Set([429, 502, 503, 504]);

export interface OutboxState {
  /** Shown as waiting, oldest first. */
  readonly kept: readonly Wish[];
}

export interface OutboxParts {
  readonly storage: WishStorage;
  /** Where `storage` is heard: other windows keep their wishes in the same place. */
  readonly windows: EventTarget;
  readonly isOnline: () => boolean;
  /** Who is signed in; undefined while that is unknown: nothing kept is sent until it is known. */
  readonly viewerId: () => string | null | undefined;
  /** A wish has become too old to be sent. */
  readonly onExpired: (wish: Wish) => void;
  readonly now?: () => number;
}

/** There is no room for another wish. */
export class OutboxFull extends Error {
  constructor() {
    super("too many requests wait for the connection");
    this.name = "OutboxFull";
  }
}

interface Entry {
  wish: Wish;
  readonly send: (signal: AbortSignal) => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly onKept: () => void;
  readonly life: AbortController;
  isSending: boolean;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Nobody has answered: the network failed, or it took too long. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}

const withdrawn = () => new DOMException("The request was taken back.", "AbortError");

export function createOutbox({ storage, windows, isOnline, viewerId, onExpired, now = Date.now }: OutboxParts) {
  const store = createStore<OutboxState>()(() => ({ kept: [] }));
  const entries = new Map<string, Entry>();
  let resume: (wish: Wish) => void = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isFlushing = false;

  function show(): void {
    const kept = [...entries.values()].map(({ wish }) => wish).filter(({ isKept }) => isKept);
    store.setState({ kept: kept.toSorted((a, b) => a.madeAtMs - b.madeAtMs) });
  }

  /** Other windows write there too: only one wish is changed, the others stand as they are. */
  function record(wish: Wish): void {
    const others = readWishes(storage).filter(({ key }) => key !== wish.key);
    writeWishes(storage, [...others, wish]);
  }

  function end(key: string): Entry | undefined {
    const entry = entries.get(key);
    entries.delete(key);
    writeWishes(
      storage,
      readWishes(storage).filter((wish) => wish.key !== key),
    );
    show();
    return entry;
  }

  function withdraw(key: string): void {
    const entry = end(key);
    entry?.life.abort();
    entry?.reject(withdrawn());
  }

  function keep(entry: Entry): void {
    if (entry.wish.isKept) return;
    entry.wish = { ...entry.wish, isKept: true };
    record(entry.wish);
    show();
    entry.onKept();
  }

  async function sendQuickly({ wish, send, life: { signal } }: Entry): Promise<unknown> {
    for (const quickWaitMs of wish.isKept ? [] : QUICK_WAITS_MS) {
      try {
        return await send(signal);
      } catch (error) {
        if (!isUnanswered(error) || signal.aborted || !isOnline()) throw error;
        await new Promise((resolve) => setTimeout(resolve, quickWaitMs));
        if (signal.aborted) throw withdrawn();
      }
    }
    return send(signal);
  }

  /** @returns whether the server has been reached */
  async function attempt(entry: Entry): Promise<boolean> {
    if (entry.isSending) return true;
    entry.isSending = true;
    try {
      const answer = await sendQuickly(entry);
      end(entry.wish.key);
      entry.resolve(answer);
      return true;
    } catch (error) {
      if (entry.life.signal.aborted) return true;
      const isPassing = error instanceof ApiError && PASSING.has(error.status);
      // The first answer is the visitor's to see; later nobody waits for it, and trying on is kinder.
      if (isUnanswered(error) || (isPassing && entry.wish.isKept)) {
        keep(entry);
        hurryLater();
        return isPassing;
      }
      end(entry.wish.key);
      entry.reject(error);
      return true;
    } finally {
      entry.isSending = false;
    }
  }

  function hurryLater(): void {
    // Without a network nothing is tried; its return is heard of.
    if (timer !== undefined || !isOnline()) return;
    timer = setTimeout(() => {
      timer = undefined;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      void flush();
    }, waitMs);
  }

  async function flush(): Promise<void> {
    const viewer = viewerId();
    if (isFlushing || viewer === undefined || !isOnline()) return;
    isFlushing = true;
    try {
      for (const entry of [...entries.values()].toSorted((a, b) => a.wish.madeAtMs - b.wish.madeAtMs)) {
        const { wish } = entry;
        if (!entries.has(wish.key) || entry.isSending) continue;
        if (now() - wish.madeAtMs >= WISH_LIFE_MS) {
          withdraw(wish.key);
          onExpired(wish);
        } else if (wish.madeBy !== null && wish.madeBy !== viewer) withdraw(wish.key);
        else if (!(await attempt(entry))) return;
      }
      if (entries.size === 0) waitMs = FIRST_WAIT_MS;
    } finally {
      isFlushing = false;
    }
  }

  /** Takes over what other windows, or this one before a reload, have left. */
  function takeOver(isStart: boolean): void {
    const written = readWishes(storage);
    for (const wish of written) {
      if (entries.has(wish.key) || !(isStart || wish.isKept)) continue;
      resume({ ...wish, isKept: true });
    }
    if (isStart) return;
    const present = new Set(written.map(({ key }) => key));
    for (const entry of entries.values())
      if (entry.wish.isKept && !present.has(entry.wish.key)) withdraw(entry.wish.key);
  }

  return {
    store,

    /**
     * Sends until there is an answer and settles with it; AbortError once the wish is taken back, or
     * replaced by a later one about the same thing. A definite refusal rejects as it came.
     * @param send one try; rejects with TypeError or TimeoutError when nobody answered
     * @param onKept the first try had no answer: it waits now, and is shown to wait
     * @throws OutboxFull
     */
    submit<Answer>(
      wish: Wish,
      send: (signal: AbortSignal) => Promise<Answer>,
      onKept: () => void = () => undefined,
    ): Promise<Answer> {
      const target = targetOf(wish);
      for (const { wish: other } of entries.values())
        if (target !== null && targetOf(other) === target) withdraw(other.key);
      if (entries.size >= MAX_WISHES) return Promise.reject(new OutboxFull());
      return new Promise<Answer>((resolve, reject) => {
        // What `send` brings is what `resolve` takes: both are of this one call.
        const entry: Entry = {
          wish,
          send,
          resolve: (answer) => resolve(answer as Answer),
          reject,
          onKept,
          life: new AbortController(),
          isSending: false,
        };
        entries.set(wish.key, entry);
        record(wish);
        if (wish.isKept) show();
        else if (isOnline()) void attempt(entry);
        else keep(entry);
      });
    },

    takeBack: withdraw,

    /** Sends what is kept, as far as the network lets it. */
    flush,

    /** The network may be back: waiting longer would have no meaning. */
    hurry(): void {
      clearTimeout(timer);
      timer = undefined;
      waitMs = FIRST_WAIT_MS;
      void flush();
    },

    /** @param take submits again what an earlier page has left */
    start(take: (wish: Wish) => void): void {
      resume = take;
      takeOver(true);
      windows.addEventListener("storage", (event) => {
        if (event instanceof StorageEvent && (event.key === STORAGE_KEY || event.key === null)) takeOver(false);
      });
      void flush();
    },

    /** Whoever comes next at this browser did not ask for it. */
    forget(): void {
      for (const key of entries.keys()) withdraw(key);
    },
  };
}
