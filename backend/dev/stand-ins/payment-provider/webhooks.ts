/** Sends events to webhook endpoints: signed, with retries, and on request late, twice, in reverse or not. */
import { createHmac } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { type Account, randomLetters } from "./account.ts";
import type { Event, WebhookEndpoint } from "./state.ts";

/** In real time; the real provider retries over three days. */
const RETRY_DELAYS_MS: readonly number[] = [200, 1_000, 5_000, 30_000];
const TIMEOUT_MS = 10_000;
/** The official clients reject older signatures. */
const TOLERANCE_SECONDS = 300;

export const DeliveryMode = z.strictObject({
  order: z.enum(["as-made", "reversed"]).default("as-made"),
  /** Number of times that each event is sent. */
  copies: z.number().int().default(1),
  /** Holds all events back until `release`. */
  hold: z.boolean().default(false),
  /** Drops all events. */
  lose: z.boolean().default(false),
});

export function createEndpoint(
  account: Account,
  given: Pick<WebhookEndpoint, "enabled_events" | "url">,
): WebhookEndpoint & { secret: string } {
  const secret = `whsec_${randomLetters(32)}`;
  const endpoint = account.create("webhook_endpoint", given);
  account.state.secrets.webhookSecrets[endpoint.id] = secret;
  // Its secret is sent when it is created, and never again.
  return { ...endpoint, secret };
}

export class Webhooks {
  readonly #account: Account;
  readonly #retryDelaysMs: readonly number[];
  readonly #stopped = new AbortController();
  readonly #changes = new EventEmitter();
  #mode = DeliveryMode.parse({});
  #waiting: Event[] = [];
  #running = 0;
  #isFlushing = false;

  constructor(account: Account, retryDelaysMs: readonly number[] = RETRY_DELAYS_MS) {
    this.#account = account;
    this.#retryDelaysMs = retryDelaysMs;
    account.onEvent = (event) => {
      if (this.#mode.lose) return;
      this.#waiting.push(event);
      this.#flushSoon();
    };
  }

  /** Sends events to an address from now on. @returns the secret that signs them */
  listen(url: string, events: readonly string[]): string {
    const known = this.#account.list("webhook_endpoint").find((endpoint) => endpoint.url === url);
    return known ? this.#secretOf(known) : createEndpoint(this.#account, { url, enabled_events: [...events] }).secret;
  }

  /** Changes the delivery; fields that are not given get their normal values. */
  configure(mode: z.input<typeof DeliveryMode>): void {
    this.#mode = DeliveryMode.parse(mode);
    this.#flushSoon();
  }

  /** Sends the events that are held back; later events are held back as before. */
  release(): void {
    const { order, copies } = this.#mode;
    const events = order === "reversed" ? this.#waiting.toReversed() : this.#waiting;
    this.#waiting = [];
    for (const endpoint of this.#account.list("webhook_endpoint")) {
      const wanted = events.filter(
        ({ type }) =>
          endpoint.status === "enabled" && [type, "*"].some((each) => endpoint.enabled_events.includes(each)),
      );
      this.#track(this.#deliver(endpoint, wanted, copies));
    }
  }

  /** Resolves when no event is being sent or retried; events that are held back do not count. */
  async idle(): Promise<void> {
    while (this.#running > 0 || this.#isFlushing) await once(this.#changes, "change");
  }

  /** Sends a forged event to the first endpoint. @returns the HTTP status; null without an answer */
  async forge(event: object, how: "altered" | "stale" | "unsigned" | "wrong-secret"): Promise<number | null> {
    const endpoint = this.#account.list("webhook_endpoint")[0];
    if (!endpoint) return null;
    const body = JSON.stringify(event);
    const atSeconds = Math.floor(Date.now() / 1_000) - (how === "stale" ? TOLERANCE_SECONDS + 60 : 0);
    const secret = how === "wrong-secret" ? `whsec_${randomLetters(32)}` : this.#secretOf(endpoint);
    const signature = sign(how === "altered" ? `${body} ` : body, secret, atSeconds);
    return await this.#post(endpoint, body, how === "unsigned" ? {} : { "stripe-signature": signature });
  }

  stop(): void {
    this.#stopped.abort();
    this.#changes.emit("change");
  }

  /** Sends the events of one call together, so that their order can be changed. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      if (!this.#mode.hold) this.release();
      this.#changes.emit("change");
    });
  }

  /** Sends events one after the other, so that they arrive in order; failed ones are retried in parallel. */
  async #deliver(endpoint: WebhookEndpoint, events: readonly Event[], copies: number): Promise<void> {
    for (const event of events)
      for (let copy = 0; copy < copies; copy += 1)
        if (!(await this.#isAccepted(endpoint, event))) this.#track(this.#retry(endpoint, event));
  }

  async #retry(endpoint: WebhookEndpoint, event: Event): Promise<void> {
    for (const delayMs of this.#retryDelaysMs) {
      await delay(delayMs, undefined, { signal: this.#stopped.signal });
      if (await this.#isAccepted(endpoint, event)) return;
    }
  }

  async #isAccepted(endpoint: WebhookEndpoint, event: Event): Promise<boolean> {
    const body = JSON.stringify(event);
    const signature = sign(body, this.#secretOf(endpoint), Math.floor(Date.now() / 1_000));
    const status = await this.#post(endpoint, body, { "stripe-signature": signature });
    return status !== null && status >= 200 && status < 300;
  }

  #secretOf({ id }: WebhookEndpoint): string {
    return this.#account.state.secrets.webhookSecrets[id] ?? "";
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

  async #post({ url }: WebhookEndpoint, body: string, signature: Record<string, string>): Promise<number | null> {
    try {
      const answer = await fetch(url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json; charset=utf-8", ...signature },
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch (error) {
      // No connection or no answer in time: counts as a failed delivery and is retried.
      if (error instanceof TypeError || error instanceof DOMException) return null;
      throw error;
    }
  }
}

/** As https://docs.stripe.com/webhooks#verify-manually describes. */
function sign(body: string, secret: string, atSeconds: number): string {
  return `t=${atSeconds},v1=${createHmac("sha256", secret).update(`${atSeconds}.${body}`).digest("hex")}`;
}
