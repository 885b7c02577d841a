/** The hosted billing page: the actions that its configuration allows. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { Account } from "./account.ts";
import { ApiError } from "./api-error.ts";
import { cancelNow, isOver } from "./billing/ending.ts";
import { collect } from "./billing/invoicing.ts";
import { catchUp } from "./billing/passing-time.ts";
import { replaceCard } from "./billing/replacing-card.ts";
import { changePrice, setCancelAtPeriodEnd } from "./billing/subscribing.ts";
import { renderPortal } from "./portal-page.ts";
import type { PortalConfiguration, PortalSession } from "./state.ts";

/** A session's address is valid for this time: https://docs.stripe.com/api/customer_portal/sessions. */
const SESSION_SECONDS = 3_600;

const Form = z.discriminatedUnion("do", [
  z.object({ do: z.literal("cancel"), subscription: z.string() }),
  z.object({ do: z.literal("resume"), subscription: z.string() }),
  z.object({ do: z.literal("switch"), subscription: z.string(), price: z.string() }),
  z.object({ do: z.literal("card"), number: z.string(), expiry: z.string(), cvc: z.string() }),
  z.object({ do: z.literal("pay"), invoice: z.string() }),
]);

/** @returns whether the path belongs to the portal; the request is then answered */
export function answerPortal(
  account: Account,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): boolean {
  if (!url.pathname.startsWith("/p/session/")) return false;
  catchUp(account);
  const session = account
    .list("billing_portal.session")
    .find((candidate) => new URL(candidate.url).pathname === url.pathname);
  const html = (status: number, page: string) =>
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(page);
  if (!session || account.now() - session.created > SESSION_SECONDS) {
    html(
      404,
      "<!doctype html><title>Session expired</title><h1>This billing page has expired</h1><p>Go back to " +
        "the site and open it again.</p>",
    );
    return true;
  }
  const configuration = account.get("billing_portal.configuration", session.configuration);
  if (request.method !== "POST") {
    html(200, renderPortal(account, session, configuration, undefined));
    return true;
  }
  try {
    act(account, session, configuration, Form.parse(Object.fromEntries(new URLSearchParams(body))));
    response.writeHead(303, { location: url.pathname }).end();
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof z.ZodError)) throw error;
    html(
      400,
      renderPortal(
        account,
        session,
        configuration,
        error instanceof ApiError ? error.message : "The form is incomplete.",
      ),
    );
  }
  return true;
}

function act(
  account: Account,
  session: PortalSession,
  { features }: PortalConfiguration,
  form: z.infer<typeof Form>,
): void {
  if (form.do === "card") {
    allow(features.payment_method_update.enabled);
    const [month = "", year = ""] = form.expiry.split("/").map((part) => part.trim());
    return replaceCard(account, account.get("customer", session.customer), {
      number: form.number.replaceAll(/\D/g, ""),
      expMonth: Number(month),
      expYear: 2_000 + Number(year),
    });
  }
  if (form.do === "pay") {
    const invoice = account.get("invoice", form.invoice);
    allow(invoice.customer === session.customer);
    const refusal = collect(account, invoice);
    if (refusal) throw refusal;
    return;
  }
  const subscription = account.get("subscription", form.subscription);
  allow(subscription.customer === session.customer && !isOver(subscription));
  if (form.do === "switch") {
    allow(features.subscription_update.enabled);
    const price = account.get("price", form.price);
    const item = subscription.items.data[0];
    const { nextPrices } = account.state.secrets;
    delete nextPrices[subscription.id];
    const waits = features.subscription_update.schedule_at_period_end.conditions.some(
      ({ type }) => type === "shortening_interval",
    );
    if (waits && item?.price.recurring.interval === "year" && price.recurring.interval === "month")
      nextPrices[subscription.id] = price.id;
    else if (item) changePrice(account, subscription, item.id, price, features.subscription_update.proration_behavior);
    account.emit("customer.subscription.updated", subscription);
    return;
  }
  allow(features.subscription_cancel.enabled);
  if (form.do === "cancel" && features.subscription_cancel.mode === "immediately")
    return cancelNow(account, subscription, "cancellation_requested");
  setCancelAtPeriodEnd(account, subscription, form.do === "cancel");
  account.emit("customer.subscription.updated", subscription);
}

function allow(isAllowed: boolean): void {
  if (!isAllowed) throw new ApiError(403, { type: "invalid_request_error", message: "This is not offered here." });
}
