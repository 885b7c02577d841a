/** Calls of the browser script: reads an intent, confirms it with a card, or ends an authentication. */
import { z } from "zod";
import type { Account } from "../account.ts";
import { ApiError, invalidRequest, noSuch } from "../api-error.ts";
import { answerChallenge, charge } from "../billing/charging.ts";
import { catchUp } from "../billing/passing-time.ts";
import { setUp, storeCard } from "../billing/saving-cards.ts";
import type { PaymentIntent, SetupIntent } from "../state.ts";

const Read = z.object({ clientSecret: z.string(), key: z.string().startsWith("pk_test_") });
const Confirm = Read.extend({ card: z.object({ number: z.string(), expMonth: z.number(), expYear: z.number() }) });
const Authenticate = Read.extend({ isPassed: z.boolean() });

/** @returns the result of the browser script; errors are in its field `error` */
export function answerBrowser(account: Account, url: URL, body: string): { status: number; body: string } {
  catchUp(account);
  try {
    return { status: 200, body: JSON.stringify(act(account, url.pathname, JSON.parse(body))) };
  } catch (error) {
    const known = error instanceof z.ZodError ? invalidRequest("The request is malformed.") : error;
    if (!(known instanceof ApiError)) throw known;
    return { status: known.status, body: JSON.stringify({ error: known.body }) };
  }
}

function act(account: Account, path: string, given: unknown): object {
  const { clientSecret } = Read.parse(given);
  const [id = ""] = clientSecret.split("_secret_");
  const intent = account.find("payment_intent", id) ?? account.find("setup_intent", id);
  if (intent?.client_secret !== clientSecret) throw noSuch("intent", id);
  if (path === "/browser/confirm") confirm(account, intent, Confirm.parse(given).card);
  if (path === "/browser/authenticate" && intent.object === "payment_intent")
    answerChallenge(account, intent, Authenticate.parse(given).isPassed);
  return intent.object === "payment_intent" ? { paymentIntent: intent } : { setupIntent: intent };
}

/** @throws ApiError with the intent when it is settled, so that a page sees that it was paid in another tab */
function confirm(account: Account, intent: PaymentIntent | SetupIntent, card: z.infer<typeof Confirm>["card"]): void {
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw new ApiError(400, {
      type: "invalid_request_error",
      code: `${intent.object}_unexpected_state`,
      message: `You cannot confirm this ${intent.object} because it has a status of ${intent.status}.`,
      [intent.object]: intent,
    });
  const method = storeCard(account, card);
  if (intent.object === "payment_intent") charge(account, intent, method, { isOwnerPresent: true });
  else setUp(account, intent, method);
}
