/** Replaces ids in answers with the objects that `expand` requests. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { intentOf } from "../billing/ending.ts";
import { ID_PREFIXES, type Kind } from "../state.ts";

type Wire = Record<string, unknown>;

/**
 * @returns an expanded copy of the answer
 * @throws ApiError 400 for a path that cannot be expanded
 */
export function expand(account: Account, answer: object, paths: readonly string[]): Wire {
  const copy = JSON.parse(JSON.stringify(answer)) as Wire;
  for (const path of paths) {
    if (path.split(".").length > 5)
      throw invalidRequest(`You cannot expand more than 4 levels of a property. Property: ${path}`);
    expandPath(account, copy, path.split("."), path);
  }
  return copy;
}

function expandPath(account: Account, place: Wire, [key, ...rest]: readonly string[], path: string): void {
  if (key === undefined) return;
  const included = key in place ? undefined : includable(account, place, key);
  if (included !== undefined) place[key] = included;
  if (!(key in place)) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
  const value = place[key];
  if (Array.isArray(value)) return value.forEach((item: Wire) => expandPath(account, item, rest, path));
  const found = typeof value === "string" ? lookUp(account, value) : undefined;
  if (found) place[key] = found;
  const next = place[key];
  if (typeof next === "object" && next !== null) expandPath(account, next as Wire, rest, path);
  else if (next !== null && !found)
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
}

/** @returns a field that answers have only when `expand` requests it */
function includable(account: Account, place: Wire, key: string): unknown {
  if (place["object"] === "invoice") {
    const invoice = account.get("invoice", String(place["id"]));
    if (key === "payments") {
      const data = account.list("invoice_payment").filter((payment) => payment.invoice === invoice.id);
      return copyOf({ object: "list", data, has_more: false, url: `/v1/invoice_payments?invoice=${invoice.id}` });
    }
    if (key === "confirmation_secret") {
      const intent = invoice.status === "open" || invoice.status === "paid" ? intentOf(account, invoice) : undefined;
      return intent ? { client_secret: intent.client_secret, type: "payment_intent" } : null;
    }
  }
  if (place["object"] === "customer" && key === "subscriptions") {
    const data = account
      .list("subscription")
      .filter(
        ({ customer, status }) => customer === place["id"] && status !== "canceled" && status !== "incomplete_expired",
      );
    return copyOf({ object: "list", data, has_more: false, url: `/v1/customers/${String(place["id"])}/subscriptions` });
  }
  if (place["object"] === "charge" && key === "refunds") {
    const data = account.list("refund").filter(({ charge }) => charge === place["id"]);
    return copyOf({ object: "list", data, has_more: false, url: `/v1/charges/${String(place["id"])}/refunds` });
  }
  return undefined;
}

function lookUp(account: Account, id: string): Wire | undefined {
  const kind = (Object.keys(ID_PREFIXES) as Kind[]).find(
    (candidate) => id.startsWith(`${ID_PREFIXES[candidate]}_`) || account.find(candidate, id),
  );
  const found = kind && account.find(kind, id);
  return found && copyOf(found);
}

function copyOf(object: object): Wire {
  return JSON.parse(JSON.stringify(object)) as Wire;
}
