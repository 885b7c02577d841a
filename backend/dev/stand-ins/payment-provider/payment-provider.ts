/**
 * A payment provider on this machine, for development and tests: it speaks the REST API that the
 * official client calls, remembers what it is told, and its clock can be moved on.
 * No money is anywhere near it, and nothing may start it in production.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyText } from "node:stream/consumers";
import { listenOnLoopback } from "../sample-site/listeners.ts";
import { Account } from "./account.ts";
import { type Answer, Api, type RecordedCall } from "./api/api.ts";
import { ApiError, invalidRequest } from "./api-error.ts";
import { answerBrowser } from "./browser/calls.ts";
import { browserFile } from "./browser/pages.ts";
import { catchUp, passTimeUntil } from "./billing/passing-time.ts";
import { type DisputeDetails, openDispute, settleDispute } from "./billing/disputing.ts";
import { refundCharge } from "./billing/refunding.ts";
import { replaceCard } from "./billing/replacing-card.ts";
import { openState } from "./kept-state.ts";
import { type Outage, Outages } from "./outages.ts";
import type { Charge, Dispute, Event, Refund } from "./state.ts";
import { handleControls } from "./controls.ts";
import { answerPortal } from "./portal.ts";
import { Webhooks } from "./webhooks.ts";

export type { Outage } from "./outages.ts";

export type TimeStep =
  { readonly days: number } | { readonly hours: number } | { readonly seconds: number } | { readonly to: Date };

export interface PaymentProvider {
  /** `http://localhost:PORT`. */
  readonly origin: string;
  readonly port: number;
  /** Any key of its kind is taken; these are for whoever has none. */
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Loaded in place of the provider's own script. */
  readonly scriptUrl: string;
  readonly webhooks: Webhooks;
  /** All calls of the API, oldest first. */
  readonly requests: readonly RecordedCall[];
  /** All events, oldest first. */
  readonly events: readonly Event[];
  now(): Date;
  /** Moves the clock on; resolves when what fell due is done, its webhooks being on their way. */
  advance(step: TimeStep): Promise<void>;
  /** Another saved card for a customer, as the portal would set it. @throws ApiError for one that cannot be kept */
  setCard(customerId: string, number: string): void;
  /** Gives back all of a charge, or of a customer's newest. */
  refund(target: string): Refund;
  /** A bank takes back a charge, or a customer's newest. */
  dispute(target: string, details?: DisputeDetails): Dispute;
  settleDispute(disputeId: string, outcome: "lost" | "won"): void;
  fail(outage: Outage): void;
  stop(): Promise<void>;
}

/** The stand-in looks by itself this often whether something fell due. */
const LOOK_MS = 30_000;
const MAX_BODY_BYTES = 200_000;

/**
 * @param options.port 0: a free one
 * @param options.dataDir where the ledger is kept over a restart; nothing is kept without
 * @throws Error when the port is taken
 */
export async function startPaymentProvider(options: {
  port: number;
  dataDir?: string | undefined;
  log: (line: string) => void;
  webhookRetryDelaysMs?: readonly number[];
}): Promise<PaymentProvider> {
  const kept = openState(options.dataDir, options.log);
  const account = new Account(kept.state);
  const webhooks = new Webhooks(account, options.webhookRetryDelaysMs);
  const outages = new Outages();
  let origin = "";
  const api = new Api(account, () => origin);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return void response.writeHead(413).end();
    const body = request.method === "GET" ? "" : await bodyText(request);
    if (await handleControls(provider, request, response, url, body)) return;
    if (answerPortal(account, request, response, url, body)) return kept.changed();
    const file = await browserFile(url.pathname);
    if (file)
      return void response.writeHead(200, { "content-type": file.type, "cache-control": "no-store" }).end(file.content);
    const isBrowsers = url.pathname.startsWith("/browser/");
    if (isBrowsers && answerPreflight(request, response)) return;
    if (!isBrowsers && !url.pathname.startsWith("/v1/"))
      return void response.writeHead(404, { "content-type": "text/plain" }).end("Nothing here.\n");
    const struck = strike(request, url, response);
    if (struck === "answered") return;
    if (struck === "network") return void request.socket.destroy();
    const answer = isBrowsers
      ? asJson(answerBrowser(account, request.method ?? "GET", url, body))
      : api.answer(request, url, body);
    kept.changed();
    if (struck === "late") return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  function strike(
    request: IncomingMessage,
    url: URL,
    response: ServerResponse,
  ): "answered" | "late" | "network" | undefined {
    try {
      return outages.strike(request.method ?? "GET", url.pathname);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { headers, body } = asJson({ status: error.status, body: { error: error.body } });
      response.writeHead(error.status, headers).end(body);
      return "answered";
    }
  }

  const listener = await listenOnLoopback(options.port, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.log(
        `Payment stand-in: ${request.method} ${request.url} could not be answered: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      response.destroy();
    });
  });
  origin = `http://localhost:${listener.port}`;
  const look = setInterval(() => {
    catchUp(account);
    kept.changed();
  }, LOOK_MS).unref();

  const provider: PaymentProvider = {
    origin,
    port: listener.port,
    publishableKey: "pk_test_standin",
    secretKey: "sk_test_standin",
    scriptUrl: `${origin}/stripe.js`,
    webhooks,
    requests: api.calls,
    get events() {
      return account.list("event").toReversed();
    },
    now: () => new Date(account.now() * 1_000),
    async advance(step) {
      passTimeUntil(account, targetOf(step, account.now()));
      kept.changed();
    },
    setCard(customerId, number) {
      replaceCard(account, account.get("customer", customerId), {
        number,
        expMonth: 12,
        expYear: new Date().getUTCFullYear() + 3,
      });
      kept.changed();
    },
    refund(target) {
      const refund = refundCharge(account, paidCharge(account, target));
      kept.changed();
      return refund;
    },
    dispute(target, details) {
      const dispute = openDispute(account, paidCharge(account, target), details);
      kept.changed();
      return dispute;
    },
    settleDispute(disputeId, outcome) {
      settleDispute(account, account.get("dispute", disputeId), outcome);
      kept.changed();
    },
    fail: (outage) => outages.plan(outage),
    async stop() {
      clearInterval(look);
      webhooks.stop();
      kept.flush();
      await listener.stop();
    },
  };
  return provider;
}

/** The page that embeds the frames is of another origin. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "content-type",
  "access-control-allow-methods": "GET, POST",
};

function answerPreflight(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== "OPTIONS") return false;
  response.writeHead(204, CORS).end();
  return true;
}

function asJson({ status, body }: { status: number; body: object }): Answer {
  return {
    status,
    headers: { ...CORS, "content-type": "application/json", "cache-control": "no-store" },
    body: JSON.stringify(body),
  };
}

/** @param target a charge's id, or a customer's, whose newest is meant */
function paidCharge(account: Account, target: string): Charge {
  const charge = target.startsWith("ch_")
    ? account.get("charge", target)
    : account.list("charge").find(({ customer, paid, refunded }) => customer === target && paid && !refunded);
  if (!charge) throw invalidRequest(`${target} has no charge to give back`);
  return charge;
}

function targetOf(step: TimeStep, nowSeconds: number): number {
  if ("to" in step) return Math.floor(step.to.getTime() / 1_000);
  if ("days" in step) return nowSeconds + step.days * 86_400;
  return nowSeconds + ("hours" in step ? step.hours * 3_600 : step.seconds);
}
