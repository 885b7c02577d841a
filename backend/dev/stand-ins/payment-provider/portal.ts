/** The hosted billing page: the actions that the product's configuration allows. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { Account } from "./account.ts";
import { ApiError, invalidRequest } from "./api-error.ts";
import { isOver } from "./billing/ending.ts";
import { collect } from "./billing/invoicing.ts";
import { catchUp } from "./billing/passing-time.ts";
import { replaceCard } from "./billing/saving-cards.ts";
import { changePrice, setCancelAtPeriodEnd } from "./billing/subscribing.ts";
import { renderPortal } from "./portal-page.ts";
import type { PortalSession } from "./state.ts";

const Form = z.discriminatedUnion("do", [
  z.object({ do: z.enum(["cancel", "resume"]), subscription: z.string() }),
  z.object({ do: z.literal("switch"), subscription: z.string(), price: z.string() }),
  z.object({ do: z.literal("card"), number: z.string(), expiry: z.string() }),
  z.object({ do: z.literal("pay"), invoice: z.string() }),
]);

export function answerPortal(
  account: Account,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): void {
  catchUp(account);
  const session = account.list("billing_portal.session").find((candidate) => candidate.url === url.href);
  if (!session) return void response.writeHead(404).end();
  let problem = "";
  try {
    if (request.method === "POST") {
      act(account, session, Form.parse(Object.fromEntries(new URLSearchParams(body))));
      return void response.writeHead(303, { location: url.pathname }).end();
    }
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof z.ZodError)) throw error;
    problem = error.message;
  }
  response
    .writeHead(problem === "" ? 200 : 400, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
    .end(renderPortal(account, session, problem));
}

function act(account: Account, session: PortalSession, form: z.infer<typeof Form>): void {
  if (form.do === "card") {
    const [month = "", year = ""] = form.expiry.split("/");
    return replaceCard(account, account.get("customer", session.customer), {
      number: form.number.replaceAll(/\D/g, ""),
      expMonth: Number(month),
      expYear: 2_000 + Number(year),
    });
  }
  if (form.do === "pay") {
    const refusal = collect(account, own(session, account.get("invoice", form.invoice)));
    if (refusal) throw refusal;
    return;
  }
  const subscription = own(session, account.get("subscription", form.subscription));
  if (isOver(subscription)) throw invalidRequest("This plan has ended.");
  if (form.do !== "switch") setCancelAtPeriodEnd(account, subscription, form.do === "cancel");
  else {
    const price = account.get("price", form.price);
    const { conditions } = account.get("billing_portal.configuration", session.configuration).features
      .subscription_update.schedule_at_period_end;
    const isShorter =
      subscription.items.data[0].price.recurring.interval === "year" && price.recurring.interval === "month";
    const { nextPrices } = account.state.secrets;
    delete nextPrices[subscription.id];
    if (isShorter && conditions.some(({ type }) => type === "shortening_interval"))
      nextPrices[subscription.id] = price.id;
    else changePrice(account, subscription, price);
  }
  account.emit("customer.subscription.updated", subscription);
}

function own<T extends { readonly customer: string }>(session: PortalSession, object: T): T {
  if (object.customer !== session.customer) throw invalidRequest("This is not offered here.");
  return object;
}
