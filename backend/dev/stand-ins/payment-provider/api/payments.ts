/** Intents, cards, charges and refunds. */
import { z } from "zod";
import { invalidRequest } from "../api-error.ts";
import { refundCharge } from "../billing/refunding.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { isWithin, listParams, metadata, params, text, timeRange, integer } from "./params.ts";

const byCustomer = { customer: text.optional(), created: timeRange.optional() };

export const PAYMENT_OPERATIONS = [
  operation("GET /v1/payment_intents", listParams(byCustomer), ({ account }, given) =>
    pageOf(
      account
        .list("payment_intent")
        .filter(
          ({ customer, created }) => (given.customer ?? customer) === customer && isWithin(created, given.created),
        ),
      "/v1/payment_intents",
      given,
    ),
  ),
  operation("GET /v1/payment_intents/:id", params({ client_secret: text.optional() }), ({ account }, _given, id) =>
    account.get("payment_intent", id),
  ),
  operation("GET /v1/setup_intents/:id", params({ client_secret: text.optional() }), ({ account }, _given, id) =>
    account.get("setup_intent", id),
  ),
  operation(
    "GET /v1/customers/:id/payment_methods",
    listParams({ type: z.literal("card").optional() }),
    ({ account }, given, id) =>
      pageOf(
        account.list("payment_method").filter(({ customer }) => customer === account.get("customer", id).id),
        `/v1/customers/${id}/payment_methods`,
        given,
      ),
  ),
  operation("GET /v1/payment_methods/:id", params({}), ({ account }, _given, id) => account.get("payment_method", id)),
  operation("GET /v1/charges", listParams({ ...byCustomer, payment_intent: text.optional() }), ({ account }, given) =>
    pageOf(
      account
        .list("charge")
        .filter(
          (charge) =>
            (given.customer ?? charge.customer) === charge.customer &&
            (given.payment_intent ?? charge.payment_intent) === charge.payment_intent &&
            isWithin(charge.created, given.created),
        ),
      "/v1/charges",
      given,
    ),
  ),
  operation("GET /v1/charges/:id", params({}), ({ account }, _given, id) => account.get("charge", id)),
  operation(
    "POST /v1/refunds",
    params({
      charge: text.optional(),
      payment_intent: text.optional(),
      amount: integer.optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
      metadata: metadata.optional(),
    }),
    ({ account }, given) => {
      const intent =
        given.payment_intent === undefined
          ? undefined
          : account.get("payment_intent", given.payment_intent, "payment_intent");
      const chargeId = given.charge ?? intent?.latest_charge;
      if (!chargeId)
        throw invalidRequest(
          "One of the following params should be provided for this request: payment_intent or charge.",
          { code: "parameter_missing" },
        );
      return refundCharge(account, account.get("charge", chargeId, "charge"), given);
    },
  ),
  operation("GET /v1/refunds/:id", params({}), ({ account }, _given, id) => account.get("refund", id)),
];
