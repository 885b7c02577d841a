/** Sends events to webhook endpoints: signed, with retries, and on request late, twice, in another order or not. */
import { createHmac } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Account, randomLetters, matchesType } from "./account.ts";
import { newWebhookEndpoint } from "./shapes/portal.ts";
import type { Event, WebhookEndpoint } from "./state.ts";

/** In real time; the real provider retries over three days. */
const RETRY_DELAYS_MS: readonly number[] = [200, 1_000, 5_000, 30_000];
const TIMEOUT_MS = 10_000;
/** The official clients reject older signatures. */
const TOLERANCE_SECONDS = 300;

export type Order = "as-made" | "reversed" | "shuffled";

export interface DeliveryMode {
  readonly order: Order;
  /** Number of times that each event is sent. */
  readonly copies: number;
  /** Holds all events back until `release`. */
  readonly hold: boolean;
  /** Drops all events, none, or those of these types. */
  readonly lose: boolean | readonly string[];
  readonly delayMs: number;
}

const NORMAL: DeliveryMode = { order: "as-made", copies: 1, hold: false, lose: false, delayMs: 0 };

export interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
}

export type Forgery = "altered" | "stale" | "unsigned" | "wrong-secret";

export class Webhooks {
  readonly deliveries: Delivery[] = [];
  readonly #account: Account;
  readonly #retryDelaysMs: readonly number[];
  readonly #stopped = new AbortController();
  readonly #changes = new EventEmitter();
  #mode = NORMAL;
  #waiting: Event[] = [];
  #running = 0;
  #isFlushing = false;

  constructor(account: Account, retryDelaysMs: readonly number[] = RETRY_DELAYS_MS) {
    this.#account = account;
    this.#retryDelaysMs = retryDelaysMs;
    account.onEvent = (event) => this.#take(event);
  }

  /** Sends events to an address from now on. @returns the secret that signs them */
  listen(
    url: string,
    { secret, events = ["*"] }: { secret?: string | undefined; events?: readonly string[] } = {},
  ): string {
    const known = this.#account.list("webhook_endpoint").find((endpoint) => endpoint.url === url);
    if (known && secret !== undefined) known.secret = secret;
    if (known) return known.secret;
    return this.#account.add("webhook_endpoint", newWebhookEndpoint(this.#account, url, events, secret)).secret;
  }

  /** Changes the delivery; fields that are not given get their normal values. */
  configure(mode: Partial<DeliveryMode>): void {
    this.#mode = { ...NORMAL, ...mode };
    if (!this.#mode.hold) this.#flushSoon();
  }

  /** Sends the events that are held back; later events are held back as before. */
  release({ order = this.#mode.order }: { order?: Order } = {}): void {
    this.#send(order);
  }

  /** Resolves when no event is being sent or retried; events that are held back do not count. */
  async idle(): Promise<void> {
    while (this.#running > 0 || this.#isFlushing) await once(this.#changes, "change");
  }

  /** Sends an event again, whether it was delivered or not. @returns the HTTP status; null without an answer */
  async redeliver(eventId: string): Promise<number | null> {
    const event = this.#account.get("event", eventId);
    const statuses = await Promise.all(this.#listeners(event).map((endpoint) => this.#post(endpoint, event, 1)));
    return statuses[0] ?? null;
  }

  /** Sends a forged event to the first endpoint. @returns the HTTP status; null without an answer */
  async forge(event: object, how: Forgery): Promise<number | null> {
    const endpoint = this.#account.list("webhook_endpoint")[0];
    if (!endpoint) return null;
    const body = JSON.stringify(event);
    const atSeconds = Math.floor(Date.now() / 1_000) - (how === "stale" ? TOLERANCE_SECONDS + 60 : 0);
    const secret = how === "wrong-secret" ? `whsec_${randomLetters(32)}` : endpoint.secret;
    const signature = sign(how === "altered" ? `${body} ` : body, secret, atSeconds);
    return await post(endpoint.url, body, how === "unsigned" ? undefined : signature, this.#stopped.signal);
  }

  stop(): void {
    this.#stopped.abort();
    this.#changes.emit("change");
  }

  #take(event: Event): void {
    const { lose, hold } = this.#mode;
    if (lose === true || (Array.isArray(lose) && matchesType(lose, event.type))) return;
    this.#waiting.push(event);
    if (!hold) this.#flushSoon();
  }

  /** Sends the events of one call together, so that their order can be changed. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      if (!this.#mode.hold) this.#send(this.#mode.order);
      this.#changes.emit("change");
    });
  }

  #send(order: Order): void {
    const events = inOrder(this.#waiting, order);
    this.#waiting = [];
    const byListener = new Map<WebhookEndpoint, Event[]>();
    for (const event of events)
      for (const endpoint of this.#listeners(event))
        byListener.set(endpoint, [...(byListener.get(endpoint) ?? []), event]);
    for (const [endpoint, wanted] of byListener) this.#track(this.#deliverAll(endpoint, wanted));
  }

  /** Sends events one after the other, so that they arrive in order; failed ones are retried in parallel. */
  async #deliverAll(endpoint: WebhookEndpoint, events: readonly Event[]): Promise<void> {
    if (this.#mode.delayMs > 0) await delay(this.#mode.delayMs, undefined, { signal: this.#stopped.signal });
    for (const event of events)
      for (let copy = 0; copy < this.#mode.copies; copy += 1) {
        const status = await this.#post(endpoint, event, 1);
        if (!isAccepted(status)) this.#track(this.#retry(endpoint, event));
      }
  }

  async #retry(endpoint: WebhookEndpoint, event: Event): Promise<void> {
    let attempt = 1;
    for (const delayMs of this.#retryDelaysMs) {
      await delay(delayMs, undefined, { signal: this.#stopped.signal });
      attempt += 1;
      if (isAccepted(await this.#post(endpoint, event, attempt))) return;
    }
  }

  async #post(endpoint: WebhookEndpoint, event: Event, attempt: number): Promise<number | null> {
    const body = JSON.stringify(event, null, 2);
    const status = await post(
      endpoint.url,
      body,
      sign(body, endpoint.secret, Math.floor(Date.now() / 1_000)),
      this.#stopped.signal,
    );
    if (isAccepted(status)) event.pending_webhooks = Math.max(0, event.pending_webhooks - 1);
    this.deliveries.push({ eventId: event.id, type: event.type, url: endpoint.url, attempt, status });
    return status;
  }

  #listeners(event: Event): WebhookEndpoint[] {
    return this.#account
      .list("webhook_endpoint")
      .filter(({ status, enabled_events: enabled }) => status === "enabled" && matchesType(enabled, event.type));
  }

  #track(work: Promise<void>): void {
    this.#running += 1;
    work
      .catch((error: unknown) => {
        if (!this.#stopped.signal.aborted) throw error;
      })
      .finally(() => {
        this.#running -= 1;
        this.#changes.emit("change");
      });
  }
}

function inOrder(events: readonly Event[], order: Order): readonly Event[] {
  if (order === "as-made") return events;
  if (order === "reversed") return events.toReversed();
  return events
    .map((event) => ({ event, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ event }) => event);
}

/** As https://docs.stripe.com/webhooks#verify-manually describes. */
function sign(body: string, secret: string, atSeconds: number): string {
  return `t=${atSeconds},v1=${createHmac("sha256", secret).update(`${atSeconds}.${body}`).digest("hex")}`;
}

function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

async function post(
  url: string,
  body: string,
  signature: string | undefined,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      body,
      redirect: "manual",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (stand-in)",
        ...(signature !== undefined && { "stripe-signature": signature }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    // No connection or no answer in time: counts as a failed delivery and is retried.
    if (
      error instanceof TypeError ||
      (error instanceof DOMException && (error.name === "TimeoutError" || error.name === "AbortError"))
    )
      return null;
    throw error;
  }
}
