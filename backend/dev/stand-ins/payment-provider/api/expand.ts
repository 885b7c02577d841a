/** Replaces ids in answers with the objects that `expand` requests. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { paymentOf } from "../billing/ending.ts";
import { KINDS } from "../state.ts";

type Wire = Record<string, unknown>;

/**
 * @returns an expanded copy of the answer
 * @throws ApiError 400 for a path that cannot be expanded
 */
export function expand(account: Account, answer: object, paths: readonly string[]): Wire {
  const copy = copyOf(answer);
  for (const path of paths) expandPath(account, copy, path.split("."));
  return copy;
}

function expandPath(account: Account, place: Wire, [key, ...rest]: readonly string[]): void {
  if (key === undefined) return;
  if (place["object"] === "invoice") place[key] ??= includable(account, String(place["id"]), key);
  const value = place[key];
  if (value === undefined) throw invalidRequest(`This property cannot be expanded (${key}).`, { param: "expand" });
  if (Array.isArray(value)) return value.forEach((item: Wire) => expandPath(account, item, rest));
  if (typeof value === "string") {
    const found = KINDS.map((kind) => account.find(kind, value)).find((object) => object !== undefined);
    if (found) place[key] = copyOf(found);
  }
  if (value !== null) expandPath(account, place[key] as Wire, rest);
}

/** @returns a field that invoices have only when `expand` requests it */
function includable(account: Account, id: string, key: string): unknown {
  const payment = paymentOf(account, account.get("invoice", id));
  if (key === "payments") return { object: "list", data: payment ? [payment] : [], has_more: false, url: "" };
  if (key !== "confirmation_secret") return undefined;
  const intent = account.find("payment_intent", payment?.payment.payment_intent ?? null);
  return intent && intent.status !== "canceled"
    ? { client_secret: intent.client_secret, type: "payment_intent" }
    : null;
}

function copyOf(object: object): Wire {
  return JSON.parse(JSON.stringify(object)) as Wire;
}
