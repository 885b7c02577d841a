/**
 * Sends each request of the visitor until the server has answered: at once, and again when the network may be back.
 * It does not interpret the requests; requests.ts does. workbox-background-sync repeats requests too, but in the
 * service worker, where the page cannot wait for the answer or withdraw a request.
 */
import { createStore } from "zustand/vanilla";
import { pause } from "../../../common/waiting.ts";
import { ApiError } from "../api/errors.ts";
import { OUTBOX_KEY } from "../platform/storage-keys.ts";
import type { TextStorage } from "../platform/text-storage.ts";
import { BackOff } from "./back-off.ts";
import { ENTRY_LIFETIME_MS, MAX_ENTRIES, readEntries, targetOf, writeEntries } from "./entries.ts";
import type { OutboxEntry } from "./entries.ts";
import { OutboxFull } from "./errors.ts";

/** Delays of the retries before an entry is shown as waiting; a short network failure has passed by then. */
const QUICK_RETRY_DELAYS_MS = [250, 750] as const;

/** Statuses of a server that starts, is overloaded or limits the rate: the same request may succeed later. */
const TEMPORARY_STATUSES = new Set([429, 502, 503, 504]);

export interface OutboxState {
  /** Entries shown as waiting, oldest first. */
  readonly waiting: readonly OutboxEntry[];
}

export interface OutboxParts {
  /** Shared by all windows of the browser. */
  readonly storage: TextStorage;
  /** Target of the `storage` events of other windows. */
  readonly windows: EventTarget;
  readonly isOnline: () => boolean;
  /** Id of the signed-in user, null when signed out; undefined while unknown, when no stored entry is sent. */
  readonly viewerId: () => string | null | undefined;
  /** Called for an entry that is too old to be sent. */
  readonly onExpired: (entry: OutboxEntry) => void;
}

/** An entry together with its caller, who waits for the answer. */
interface PendingRequest {
  entry: OutboxEntry;
  readonly send: (signal: AbortSignal) => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly onWaiting: (() => void) | undefined;
  readonly abort: AbortController;
  /** It is being sent, or must not be sent yet. */
  isBusy: boolean;
  /** Other windows see it. False where the storage is full. */
  isStored: boolean;
}

export interface SubmitOptions {
  /** Called when the first tries had no response and the entry is shown as waiting. */
  readonly onWaiting?: () => void;
  /** The entry is stored at once, and sent when this has resolved. It then leaves earlier ones with its target alone. */
  readonly after?: Promise<void> | undefined;
}

/** Whether a request ended without a response: the network failed or the timeout passed. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}

const withdrawn = () => new DOMException("The request was withdrawn.", "AbortError");

export class Outbox {
  readonly store = createStore<OutboxState>()(() => ({ waiting: [] }));
  private readonly parts: OutboxParts;
  private readonly pending = new Map<string, PendingRequest>();
  private readonly backOff = new BackOff(() => void this.flush());
  private submitAgain: (entry: OutboxEntry) => void = () => undefined;
  private isFlushing = false;

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  /**
   * Sends a request until the server has answered.
   * @param send one try; rejects with TypeError or TimeoutError when there was no response
   * @returns the answer; rejects with the server's refusal, with {@link OutboxFull}, or with AbortError when the entry
   * is withdrawn or replaced by a later entry with the same target
   */
  submit<Answer>(
    entry: OutboxEntry,
    send: (signal: AbortSignal) => Promise<Answer>,
    { onWaiting, after }: SubmitOptions = {},
  ): Promise<Answer> {
    if (!after) this.withdrawSameTarget(entry);
    if (this.pending.size >= MAX_ENTRIES) return Promise.reject(new OutboxFull());
    return new Promise<Answer>((resolve, reject) => {
      // The answer of this request's own `send`.
      const resolveAny = (answer: unknown) => resolve(answer as Answer);
      const abort = new AbortController();
      const request = {
        entry,
        send,
        resolve: resolveAny,
        reject,
        onWaiting,
        abort,
        isBusy: after !== undefined,
        isStored: false,
      };
      this.pending.set(entry.key, request);
      this.writeEntry(request);
      void (after ? after.then(() => this.begin(request)) : this.begin(request));
    });
  }

  /** Removes an entry before it is answered; its promise rejects with AbortError. @returns undefined if it was answered */
  withdraw(key: string): OutboxEntry | undefined {
    const request = this.finish(key);
    request?.abort.abort();
    request?.reject(withdrawn());
    return request?.entry;
  }

  /** Removes all entries, because another visitor uses the browser now. */
  withdrawAll(): void {
    for (const key of this.pending.keys()) this.withdraw(key);
  }

  /** Tries to send all entries, oldest first; stops at the first one without a response. */
  async flush(): Promise<void> {
    const viewer = this.parts.viewerId();
    if (this.isFlushing || viewer === undefined || !this.parts.isOnline()) return;
    this.isFlushing = true;
    try {
      const oldestFirst = [...this.pending.values()].toSorted((a, b) => a.entry.madeAtMs - b.entry.madeAtMs);
      for (const request of oldestFirst) if (!(await this.flushOne(request, viewer))) return;
      if (this.pending.size === 0) this.backOff.resetDelay();
    } finally {
      this.isFlushing = false;
    }
  }

  /** Flushes without waiting for the back-off, because the network may be back. */
  retryNow(): void {
    this.backOff.cancel();
    void this.flush();
  }

  /** @param submitAgain submits an entry that an earlier page or another window has stored */
  start(submitAgain: (entry: OutboxEntry) => void): void {
    this.submitAgain = submitAgain;
    for (const entry of readEntries(this.parts.storage)) this.resume(entry);
    this.parts.windows.addEventListener("storage", (event) => {
      if (event instanceof StorageEvent && (event.key === OUTBOX_KEY || event.key === null)) this.syncWithStorage();
    });
    void this.flush();
  }

  private begin(request: PendingRequest): void {
    request.isBusy = false;
    if (!this.pending.has(request.entry.key)) return;
    if (request.entry.isKept) this.updateStore();
    else if (this.parts.isOnline()) void this.attempt(request);
    else this.markWaiting(request);
  }

  private withdrawSameTarget(entry: OutboxEntry): void {
    const target = targetOf(entry);
    if (target === null) return;
    for (const { entry: other } of this.pending.values()) if (targetOf(other) === target) this.withdraw(other.key);
  }

  private updateStore(): void {
    const waiting = [...this.pending.values()].map(({ entry }) => entry).filter(({ isKept }) => isKept);
    this.store.setState({ waiting: waiting.toSorted((a, b) => a.madeAtMs - b.madeAtMs) });
  }

  /** Reads the stored entries again first, because other windows write to the same storage. */
  private writeEntry(request: PendingRequest): void {
    const { storage } = this.parts;
    const { entry } = request;
    const stored = readEntries(storage);
    const isNew = stored.every(({ key }) => key !== entry.key);
    // In its place, because of several entries with the same target the last one counts for the next page.
    writeEntries(
      storage,
      isNew ? [...stored, entry] : stored.map((other) => (other.key === entry.key ? entry : other)),
    );
    request.isStored ||= readEntries(storage).some(({ key }) => key === entry.key);
  }

  /** Removes an entry from memory, storage and store. */
  private finish(key: string): PendingRequest | undefined {
    const { storage } = this.parts;
    const request = this.pending.get(key);
    this.pending.delete(key);
    writeEntries(
      storage,
      readEntries(storage).filter((entry) => entry.key !== key),
    );
    this.updateStore();
    return request;
  }

  private change(request: PendingRequest, change: Pick<Partial<OutboxEntry>, "isKept" | "isSent">): void {
    request.entry = { ...request.entry, ...change };
    this.writeEntry(request);
  }

  private markWaiting(request: PendingRequest): void {
    if (request.entry.isKept) return;
    this.change(request, { isKept: true });
    this.updateStore();
    request.onWaiting?.();
  }

  private async sendWithQuickRetries({ entry, send, abort: { signal } }: PendingRequest): Promise<unknown> {
    for (const delayMs of entry.isKept ? [] : QUICK_RETRY_DELAYS_MS) {
      try {
        return await send(signal);
      } catch (error) {
        if (!isUnanswered(error) || signal.aborted || !this.parts.isOnline()) throw error;
        await pause(delayMs, signal);
      }
    }
    return send(signal);
  }

  /** @returns whether the server has responded */
  private async attempt(request: PendingRequest): Promise<boolean> {
    if (request.isBusy) return true;
    request.isBusy = true;
    if (!request.entry.isSent) this.change(request, { isSent: true });
    try {
      const answer = await this.sendWithQuickRetries(request);
      this.finish(request.entry.key);
      request.resolve(answer);
      return true;
    } catch (error) {
      return this.handleFailure(request, error);
    } finally {
      request.isBusy = false;
    }
  }

  /** @returns whether the server has responded */
  private handleFailure(request: PendingRequest, error: unknown): boolean {
    if (request.abort.signal.aborted) return true;
    const isTemporary = error instanceof ApiError && TEMPORARY_STATUSES.has(error.status);
    const { isKept, kind } = request.entry;
    // The visitor sees a temporary refusal of the first try. A waiting entry is retried instead, and one that takes a
    // conversion back, because nobody sees its refusal.
    if (isUnanswered(error) || (isTemporary && (isKept || kind === "takeBack"))) {
      this.markWaiting(request);
      // Offline, the browser's `online` event triggers the retry.
      if (this.parts.isOnline()) this.backOff.schedule();
      return isTemporary;
    }
    this.finish(request.entry.key);
    request.reject(error);
    return true;
  }

  /** @returns whether to go on with the next entry */
  private async flushOne(request: PendingRequest, viewer: string | null): Promise<boolean> {
    const { entry } = request;
    if (!this.pending.has(entry.key) || request.isBusy) return true;
    if (Date.now() - entry.madeAtMs >= ENTRY_LIFETIME_MS) {
      this.withdraw(entry.key);
      if (entry.kind !== "takeBack") this.parts.onExpired(entry);
      return true;
    }
    if (entry.madeBy !== null && entry.madeBy !== viewer) {
      this.withdraw(entry.key);
      return true;
    }
    return this.attempt(request);
  }

  private resume(entry: OutboxEntry): void {
    if (!this.pending.has(entry.key)) this.submitAgain({ ...entry, isKept: true });
  }

  /** Adds entries that another window left waiting, and withdraws those that another window has finished. */
  private syncWithStorage(): void {
    const stored = readEntries(this.parts.storage);
    for (const entry of stored) if (entry.isKept) this.resume(entry);
    const storedKeys = new Set(stored.map(({ key }) => key));
    for (const { entry, isStored } of this.pending.values())
      if (isStored && entry.isKept && !storedKeys.has(entry.key)) this.withdraw(entry.key);
  }
}
