/** Events on their way to whoever listens: signed, retried, and on request late, twice, in disorder or never. */
import { createHmac } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Account, randomLetters, wants } from "./account.ts";
import { addWebhookEndpoint } from "./api/endpoints.ts";
import type { Event, WebhookEndpoint } from "./state.ts";

/** Real time; the provider's own schedule spreads over three days. */
const RETRY_DELAYS_MS: readonly number[] = [200, 1_000, 5_000, 30_000];
const TIMEOUT_MS = 10_000;
/** Older signatures are refused by the official clients. */
const TOLERANCE_SECONDS = 300;

export type Order = "as-made" | "reversed" | "shuffled";

export interface DeliveryManner {
  readonly order: Order;
  /** How often each is sent. */
  readonly copies: number;
  /** Keeps all until `release`. */
  readonly hold: boolean;
  /** All, none, or those of these types never arrive. */
  readonly lose: boolean | readonly string[];
  readonly delayMs: number;
}

const PROPER: DeliveryManner = { order: "as-made", copies: 1, hold: false, lose: false, delayMs: 0 };

export interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** The HTTP status; null when nobody answered. */
  readonly status: number | null;
}

export type Forgery = "altered" | "stale" | "unsigned" | "wrong-secret";

export class Webhooks {
  readonly deliveries: Delivery[] = [];
  readonly #account: Account;
  readonly #retryDelaysMs: readonly number[];
  readonly #stopped = new AbortController();
  readonly #changes = new EventEmitter();
  #manner = PROPER;
  #waiting: Event[] = [];
  #underWay = 0;
  #isFlushing = false;

  constructor(account: Account, retryDelaysMs: readonly number[] = RETRY_DELAYS_MS) {
    this.#account = account;
    this.#retryDelaysMs = retryDelaysMs;
    account.onEvent = (event) => this.#take(event);
  }

  /** Sends from now on to that address. @returns the secret that signs */
  listen(
    url: string,
    { secret, events = ["*"] }: { secret?: string | undefined; events?: readonly string[] } = {},
  ): string {
    const known = this.#account.list("webhook_endpoint").find((endpoint) => endpoint.url === url);
    if (known && secret !== undefined) known.secret = secret;
    return (known ?? addWebhookEndpoint(this.#account, { url, events, secret })).secret;
  }

  /** What is not named goes back to the proper manner. */
  configure(manner: Partial<DeliveryManner>): void {
    this.#manner = { ...PROPER, ...manner };
    if (!this.#manner.hold) this.#flushSoon();
  }

  /** Sends what was held; later ones are held as before. */
  release({ order = this.#manner.order }: { order?: Order } = {}): void {
    this.#send(order);
  }

  /** Resolves when nothing is under way or to be retried; what is held does not count. */
  async idle(): Promise<void> {
    while (this.#underWay > 0 || this.#isFlushing) await once(this.#changes, "change");
  }

  /** Sends an event again, whatever became of it before. @returns the HTTP status, null when nobody answered */
  async redeliver(eventId: string): Promise<number | null> {
    const event = this.#account.get("event", eventId);
    const statuses = await Promise.all(this.#listeners(event).map((endpoint) => this.#post(endpoint, event, 1)));
    return statuses[0] ?? null;
  }

  /** Sends what the provider never said, or said otherwise. @returns the HTTP status of the first listener */
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
    const { lose, hold } = this.#manner;
    if (lose === true || (Array.isArray(lose) && wants(lose, event.type))) return;
    this.#waiting.push(event);
    if (!hold) this.#flushSoon();
  }

  /** What one call makes goes out together, so that its order can be another. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      if (!this.#manner.hold) this.#send(this.#manner.order);
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
    for (const [endpoint, wanted] of byListener) this.#underWayWhile(this.#deliverAll(endpoint, wanted));
  }

  /** One after the other, so that the order asked for is the order had; a failed one is retried aside. */
  async #deliverAll(endpoint: WebhookEndpoint, events: readonly Event[]): Promise<void> {
    if (this.#manner.delayMs > 0) await delay(this.#manner.delayMs, undefined, { signal: this.#stopped.signal });
    for (const event of events)
      for (let copy = 0; copy < this.#manner.copies; copy += 1) {
        const status = await this.#post(endpoint, event, 1);
        if (!isAccepted(status)) this.#underWayWhile(this.#retry(endpoint, event));
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
      .filter(({ status, enabled_events: enabled }) => status === "enabled" && wants(enabled, event.type));
  }

  #underWayWhile(work: Promise<void>): void {
    this.#underWay += 1;
    work
      .catch((error: unknown) => {
        if (!this.#stopped.signal.aborted) throw error;
      })
      .finally(() => {
        this.#underWay -= 1;
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
    // Nobody listens, or not in time: as good as refused, to be tried again.
    if (
      error instanceof TypeError ||
      (error instanceof DOMException && (error.name === "TimeoutError" || error.name === "AbortError"))
    )
      return null;
    throw error;
  }
}
