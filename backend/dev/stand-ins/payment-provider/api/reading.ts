/** Calls that read: `GET /v1/KIND/ID` gives one object, `GET /v1/KIND` a list that is filtered by fields. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { isOver } from "../billing/ending.ts";
import type { Kind, Subscription } from "../state.ts";

type Given = Readonly<Record<string, unknown>>;

/** What can be read, and the parameters that filter its list. */
const READABLE: { readonly [path: string]: readonly [kind: Kind, ...filters: string[]] } = {
  "billing_portal/configurations": ["billing_portal.configuration", "active"],
  charges: ["charge", "customer"],
  customers: ["customer", "email"],
  disputes: ["dispute", "charge"],
  events: ["event"],
  invoice_payments: ["invoice_payment"],
  invoices: ["invoice", "customer"],
  payment_intents: ["payment_intent"],
  payment_methods: ["payment_method"],
  prices: ["price", "lookup_keys", "active"],
  products: ["product", "ids"],
  refunds: ["refund"],
  setup_intents: ["setup_intent"],
  subscriptions: ["subscription", "customer", "status"],
  webhook_endpoints: ["webhook_endpoint"],
};
/** These filters take several values of another field. */
const FIELDS: { readonly [filter: string]: string } = { ids: "id", lookup_keys: "lookup_key" };

/**
 * @returns undefined for a path that has nothing to read
 * @throws ApiError 404 for an unknown id, 400 for an unknown parameter
 */
export function read(account: Account, path: string, given: Given): object | undefined {
  const [, name = "", id] = /^\/v1\/([a-z_]+(?:\/configurations)?)(?:\/(\w+))?$/.exec(path) ?? [];
  const [kind, ...filters] = READABLE[name] ?? [];
  if (kind === undefined) return undefined;
  if (id !== undefined) return account.get(kind, id);
  const { limit = "10", starting_after: after, expand: _expand, ...wanted } = given;
  const unknown = Object.keys(wanted).find((param) => !filters.includes(param));
  if (unknown !== undefined) throw invalidRequest(`Received unknown parameter: ${unknown}`, { param: unknown });
  const found = account
    .list(kind)
    .filter((object) =>
      Object.entries(wanted).every(
        ([param, value]) => value === "all" || [value].flat().includes(String(Object(object)[FIELDS[param] ?? param])),
      ),
    )
    // Without a status the API lists all subscriptions that have not ended.
    .filter((object) => kind !== "subscription" || wanted["status"] !== undefined || !isOver(object as Subscription));
  const start = found.findIndex(({ id: one }) => one === after) + 1;
  const data = found.slice(start, start + Number(limit));
  return { object: "list", data, has_more: found.length > start + data.length, url: path };
}
