/** Calls of the browser script: reads an intent, confirms it with a card, or ends an authentication. */
import { z } from "zod";
import type { Account } from "../account.ts";
import { ApiError, invalidRequest, noSuch } from "../api-error.ts";
import { answerPaymentChallenge, charge } from "../billing/charging.ts";
import { catchUp } from "../billing/passing-time.ts";
import { storeCard } from "../billing/replacing-card.ts";
import { answerSetUpChallenge, setUp } from "../billing/setting-up.ts";
import type { PaymentIntent, SetupIntent } from "../state.ts";

const IntentCall = z.object({ clientSecret: z.string(), key: z.string() });
const Confirm = IntentCall.extend({
  card: z.object({
    number: z.string(),
    cvc: z.string().regex(/^\d{3,4}$/),
    expMonth: z.number().int().min(1).max(12),
    expYear: z.number().int(),
  }),
});
const Authenticate = IntentCall.extend({ isPassed: z.boolean() });

/** @returns the result of the browser script; errors are in its field `error` */
export function answerBrowser(
  account: Account,
  method: string,
  url: URL,
  body: string,
): { status: number; body: object } {
  catchUp(account);
  try {
    if (method === "GET" && url.pathname === "/browser/intent")
      return {
        status: 200,
        body: wrapped(find(account, url.searchParams.get("client_secret") ?? "", url.searchParams.get("key") ?? "")),
      };
    if (method === "POST" && url.pathname === "/browser/confirm")
      return { status: 200, body: confirm(account, Confirm.parse(JSON.parse(body))) };
    if (method === "POST" && url.pathname === "/browser/authenticate")
      return { status: 200, body: authenticate(account, Authenticate.parse(JSON.parse(body))) };
    throw new ApiError(404, { type: "invalid_request_error", message: "Unrecognized request URL." });
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return { status: 400, body: { error: invalidRequest("The request is malformed.").body } };
    if (!(error instanceof ApiError)) throw error;
    const { payment_intent: payment, setup_intent: setup, ...rest } = error.body;
    return {
      status: error.status,
      body: {
        error: {
          ...rest,
          ...(isIntent(payment) && { payment_intent: publicView(payment) }),
          ...(isIntent(setup) && { setup_intent: publicView(setup) }),
        },
      },
    };
  }
}

function confirm(account: Account, { clientSecret, key, card }: z.infer<typeof Confirm>): object {
  const intent = find(account, clientSecret, key);
  if (intent.status === "succeeded" || intent.status === "canceled") throw unexpected(intent);
  const method = storeCard(account, card);
  if (intent.object === "payment_intent") charge(account, intent, method, { isOwnerPresent: true });
  else setUp(account, intent, method);
  return wrapped(intent);
}

function authenticate(account: Account, { clientSecret, key, isPassed }: z.infer<typeof Authenticate>): object {
  const intent = find(account, clientSecret, key);
  if (intent.object === "payment_intent") answerPaymentChallenge(account, intent, isPassed);
  else answerSetUpChallenge(account, intent, isPassed);
  return wrapped(intent);
}

/** @throws ApiError 401 for a wrong key, 404 for a missing intent, 400 for a wrong secret */
function find(account: Account, clientSecret: string, key: string): PaymentIntent | SetupIntent {
  if (!/^pk_test_\w+$/.test(key))
    throw new ApiError(401, { type: "invalid_request_error", message: `Invalid API Key provided: ${key.slice(0, 8)}` });
  const [id = ""] = clientSecret.split("_secret_");
  const intent = account.find("payment_intent", id) ?? account.find("setup_intent", id);
  if (!intent) throw noSuch(id.startsWith("seti_") ? "setup_intent" : "payment_intent", id, "intent");
  if (intent.client_secret !== clientSecret)
    throw invalidRequest("The client_secret provided does not match any associated intent on this account.", {
      code: "payment_intent_invalid_parameter",
      param: "client_secret",
    });
  return intent;
}

/** Includes the intent, so that a page sees that it was paid in another tab. */
function unexpected(intent: PaymentIntent | SetupIntent): ApiError {
  const isPayment = intent.object === "payment_intent";
  const name = isPayment ? "PaymentIntent" : "SetupIntent";
  return new ApiError(400, {
    type: "invalid_request_error",
    code: `${intent.object}_unexpected_state`,
    message:
      intent.status === "canceled"
        ? `You cannot confirm this ${name} because it has a status of canceled.`
        : `You cannot confirm this ${name} because it has already succeeded after being previously confirmed.`,
    ...(isPayment ? { payment_intent: intent } : { setup_intent: intent }),
  });
}

function wrapped(intent: PaymentIntent | SetupIntent): object {
  return intent.object === "payment_intent"
    ? { paymentIntent: publicView(intent) }
    : { setupIntent: publicView(intent) };
}

/** @returns the fields that may be read with a publishable key */
function publicView(intent: PaymentIntent | SetupIntent): object {
  const {
    id,
    object,
    client_secret,
    created,
    description,
    livemode,
    next_action,
    payment_method,
    payment_method_types,
    status,
  } = intent;
  const shared = {
    id,
    object,
    client_secret,
    created,
    description,
    livemode,
    next_action,
    payment_method,
    payment_method_types,
    status,
  };
  if (intent.object === "setup_intent")
    return { ...shared, last_setup_error: intent.last_setup_error, usage: intent.usage };
  const { amount, currency, canceled_at, cancellation_reason, last_payment_error, setup_future_usage } = intent;
  return { ...shared, amount, currency, canceled_at, cancellation_reason, last_payment_error, setup_future_usage };
}

function isIntent(value: unknown): value is PaymentIntent | SetupIntent {
  return typeof value === "object" && value !== null && "client_secret" in value;
}
