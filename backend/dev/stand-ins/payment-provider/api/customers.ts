import type { Account } from "../account.ts";
import { cancelNow, isOver } from "../billing/ending.ts";
import { newBalanceTransaction, newCustomer } from "../shapes/customer.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { isWithin, listParams, metadata, params, text, timeRange, integer } from "./params.ts";
import { matchesQuery, parseQuery } from "./search.ts";
import { z } from "zod";

const details = {
  email: text.optional(),
  name: text.optional(),
  description: text.optional(),
  phone: text.optional(),
  preferred_locales: z.array(text).optional(),
};

export const CUSTOMER_OPERATIONS = [
  operation("POST /v1/customers", params({ ...details, metadata: metadata.optional() }), ({ account }, given) => {
    const customer = account.add("customer", newCustomer(account, given));
    account.emit("customer.created", customer);
    return customer;
  }),
  operation(
    "GET /v1/customers",
    listParams({ email: text.optional(), created: timeRange.optional() }),
    ({ account }, given) => {
      const matching = account
        .list("customer")
        .filter(
          ({ email, created }) =>
            (given.email === undefined || email === given.email) && isWithin(created, given.created),
        );
      return pageOf(matching, "/v1/customers", given);
    },
  ),
  operation(
    "GET /v1/customers/search",
    z.strictObject({
      query: text,
      limit: z.string().optional(),
      page: text.optional(),
      expand: z.array(z.string()).optional(),
    }),
    ({ account }, { query }) => {
      const clauses = parseQuery(query);
      return {
        object: "search_result",
        data: account.list("customer").filter((customer) => matchesQuery(customer, clauses)),
        has_more: false,
        next_page: null,
        url: "/v1/customers/search",
      };
    },
  ),
  operation("GET /v1/customers/:id", params({}), ({ account }, _given, id) => account.get("customer", id)),
  operation(
    "POST /v1/customers/:id/balance_transactions",
    params({
      amount: integer,
      currency: z.string().regex(/^[a-z]{3}$/),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    ({ account }, given, id) => {
      const customer = account.get("customer", id);
      const made = account.add("customer_balance_transaction", newBalanceTransaction(account, customer, given));
      customer.balance = made.ending_balance;
      account.emit("customer.updated", customer);
      return made;
    },
  ),
  operation("GET /v1/customers/:id/balance_transactions", listParams({}), ({ account }, given, id) =>
    pageOf(
      account
        .list("customer_balance_transaction")
        .filter(({ customer }) => customer === account.get("customer", id).id),
      `/v1/customers/${id}/balance_transactions`,
      given,
    ),
  ),
  operation("DELETE /v1/customers/:id", params({}), ({ account }, _given, id) => {
    const customer = account.get("customer", id);
    endSubscriptions(account, id);
    account.emit("customer.deleted", customer);
    delete account.state.objects.customer[id];
    return { id, object: "customer", deleted: true };
  }),
];

function endSubscriptions(account: Account, customer: string): void {
  for (const subscription of account.list("subscription"))
    if (subscription.customer === customer && !isOver(subscription))
      cancelNow(account, subscription, "cancellation_requested");
}
