/**
 * A payment provider on this machine, for development and tests. It implements the REST API that the official client
 * calls, stores its objects, and has a clock that tests move. No money moves; production never starts it.
 * The provider's own stripe-mock stores nothing and sends no webhooks, so it only checks our requests.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyText } from "node:stream/consumers";
import { listenOnLoopback, type Listener } from "../sample-site/listeners.ts";
import { Account, DAY_SECONDS } from "./account.ts";
import { Api, type RecordedCall } from "./api/api.ts";
import { invalidRequest } from "./api-error.ts";
import { answerBrowser } from "./browser/calls.ts";
import { browserFile } from "./browser/pages.ts";
import { catchUp, passTimeUntil } from "./billing/passing-time.ts";
import { monthsLater } from "./billing/subscribing.ts";
import { openDispute, refundCharge, settleDispute } from "./billing/reversing.ts";
import { replaceCard } from "./billing/saving-cards.ts";
import { openState, type StateFile } from "./state-file.ts";
import { type Outage, Outages } from "./outages.ts";
import type { Charge, Dispute, Event } from "./state.ts";
import { answerControl } from "./controls.ts";
import { answerPortal } from "./portal.ts";
import { Webhooks } from "./webhooks.ts";

export type TimeStep =
  { readonly months: number } | { readonly days: number } | { readonly hours: number } | { readonly to: Date };

/** How often the stand-in runs what has become due, without a request. */
const CATCH_UP_MS = 30_000;

export interface PaymentProviderOptions {
  /** 0 for a free one. */
  readonly port: number;
  /** Where the objects are stored; without it they are lost at the end. */
  readonly dataDir?: string | undefined;
  readonly log: (line: string) => void;
  readonly webhookRetryDelaysMs?: readonly number[];
}

/** @throws Error when the port is taken */
export async function startPaymentProvider(options: PaymentProviderOptions): Promise<PaymentProvider> {
  const provider = new PaymentProvider(options);
  await provider.listen(options.port);
  return provider;
}

export class PaymentProvider {
  /** The API accepts any key that begins like these. */
  readonly publishableKey = "pk_test_standin";
  readonly secretKey = "sk_test_standin";
  readonly webhooks: Webhooks;
  readonly #account: Account;
  readonly #stateFile: StateFile;
  readonly #api: Api;
  readonly #outages = new Outages();
  readonly #log: (line: string) => void;
  #listener: Listener | undefined;
  #catchUpTimer: NodeJS.Timeout | undefined;

  constructor({ dataDir, log, webhookRetryDelaysMs }: PaymentProviderOptions) {
    this.#stateFile = openState(dataDir);
    this.#account = new Account(this.#stateFile.state);
    this.webhooks = new Webhooks(this.#account, webhookRetryDelaysMs);
    this.#api = new Api(this.#account, () => this.origin);
    this.#log = log;
  }

  /** Called once, by `startPaymentProvider`. */
  async listen(port: number): Promise<void> {
    this.#listener = await listenOnLoopback(port, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        this.#log(`Payment stand-in: ${request.method} ${request.url} could not be answered: ${reason}`);
        response.destroy();
      });
    });
    this.#catchUpTimer = setInterval(() => {
      catchUp(this.#account);
      this.#stateFile.changed();
    }, CATCH_UP_MS).unref();
  }

  get port(): number {
    return this.#listener?.port ?? 0;
  }

  /** `http://localhost:PORT`. */
  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /** Replaces the provider's own browser script. */
  get scriptUrl(): string {
    return `${this.origin}/stripe.js`;
  }

  /** All calls of the API, oldest first. */
  get requests(): readonly RecordedCall[] {
    return this.#api.calls;
  }

  /** All events, oldest first. */
  get events(): readonly Event[] {
    return this.#account.list("event").toReversed();
  }

  now(): Date {
    return new Date(this.#account.now() * 1_000);
  }

  /** Moves the clock and runs what becomes due; its webhooks are then being sent. */
  async advance(step: TimeStep): Promise<void> {
    passTimeUntil(this.#account, targetOf(step, this.#account.now()));
    this.#stateFile.changed();
  }

  /**
   * Replaces the saved card of a customer, as the portal does.
   * @throws ApiError when the card cannot be saved
   */
  setCard(customerId: string, number: string): void {
    const expYear = new Date().getUTCFullYear() + 3;
    replaceCard(this.#account, this.#account.get("customer", customerId), { number, expMonth: 12, expYear });
    this.#stateFile.changed();
  }

  /** Refunds the newest charge of a customer. */
  refund(customer: string): void {
    refundCharge(this.#account, paidCharge(this.#account, customer));
    this.#stateFile.changed();
  }

  /**
   * Opens a dispute of the customer's bank.
   * @param target id of a charge, or of a customer for the newest charge
   * @param options.isInquiry the bank only inquires and withdraws no money
   */
  dispute(target: string, { isInquiry = false } = {}): Dispute {
    const dispute = openDispute(this.#account, paidCharge(this.#account, target), isInquiry);
    this.#stateFile.changed();
    return dispute;
  }

  settleDispute(disputeId: string, outcome: "lost" | "won"): void {
    settleDispute(this.#account, this.#account.get("dispute", disputeId), outcome);
    this.#stateFile.changed();
  }

  /** Makes the next matching calls fail. */
  fail(outage: Outage): void {
    this.#outages.plan(outage);
  }

  async stop(): Promise<void> {
    clearInterval(this.#catchUpTimer);
    this.webhooks.stop();
    this.#stateFile.flush();
    await this.#listener?.stop();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const body = request.method === "GET" ? "" : await bodyText(request);
    if (url.pathname.startsWith("/stand-in/")) return answerControl(this, request, response, url, body);
    if (/^\/(?:v1|browser)\//.test(url.pathname)) return this.#answerCall(request, response, url, body);
    if (url.pathname.startsWith("/p/session/")) {
      answerPortal(this.#account, request, response, url, body);
      return this.#stateFile.changed();
    }
    const file = await browserFile(url.pathname);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": file.type, "cache-control": "no-store" }).end(file.content);
  }

  /** Answers a call of the API or of the browser script, or fails as an outage says. */
  #answerCall(request: IncomingMessage, response: ServerResponse, url: URL, body: string): void {
    const outage = this.#outages.next(request.method ?? "GET", url.pathname, url.search + body);
    if (outage === "network") return void request.socket.destroy();
    if (typeof outage === "number") {
      const error = { type: "api_error", message: "The stand-in fails, as was planned." };
      return void response.writeHead(outage, JSON_TYPE).end(JSON.stringify({ error }));
    }
    const answer = url.pathname.startsWith("/v1/")
      ? this.#api.answer(request, url, body)
      : { headers: JSON_TYPE, ...answerBrowser(this.#account, url, body) };
    this.#stateFile.changed();
    if (outage === "late") return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}

const JSON_TYPE = { "content-type": "application/json", "cache-control": "no-store" };

/** @param target id of a charge, or of a customer for the newest charge */
function paidCharge(account: Account, target: string): Charge {
  const charge = target.startsWith("ch_")
    ? account.get("charge", target)
    : account.list("charge").find(({ customer, paid, refunded }) => customer === target && paid && !refunded);
  if (!charge) throw invalidRequest(`${target} has no charge to refund`);
  return charge;
}

function targetOf(step: TimeStep, nowSeconds: number): number {
  if ("to" in step) return Math.floor(step.to.getTime() / 1_000);
  if ("months" in step) return monthsLater(nowSeconds, step.months);
  if ("days" in step) return nowSeconds + step.days * DAY_SECONDS;
  return nowSeconds + step.hours * 3_600;
}
