/** Intents, cards, charges and refunds. */
import { z } from "zod";
import { invalidRequest } from "../api-error.ts";
import { attach } from "../billing/charging.ts";
import { cancelIntent } from "../billing/ending.ts";
import { refundCharge } from "../billing/refunding.ts";
import { newSetupIntent } from "../shapes/intents.ts";
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
  operation(
    "POST /v1/payment_intents/:id/cancel",
    params({ cancellation_reason: z.enum(["abandoned", "requested_by_customer"]).optional() }),
    ({ account }, given, id) => {
      const intent = account.get("payment_intent", id);
      if (account.list("invoice_payment").some(({ payment }) => payment.payment_intent === id))
        throw invalidRequest(
          "You cannot cancel this PaymentIntent because it was created by an invoice. Void the invoice instead.",
          { code: "payment_intent_unexpected_state" },
        );
      cancelIntent(account, intent, given.cancellation_reason ?? "requested_by_customer");
      return intent;
    },
  ),
  operation(
    "POST /v1/setup_intents",
    params({
      customer: text,
      usage: z.enum(["off_session", "on_session"]).optional(),
      payment_method_types: z.array(text).optional(),
      metadata: metadata.optional(),
    }),
    ({ account }, given) => {
      const intent = account.add(
        "setup_intent",
        newSetupIntent(account, account.get("customer", given.customer, "customer").id, given.metadata),
      );
      account.emit("setup_intent.created", intent);
      return intent;
    },
  ),
  operation("GET /v1/setup_intents/:id", params({ client_secret: text.optional() }), ({ account }, _given, id) =>
    account.get("setup_intent", id),
  ),
  operation(
    "POST /v1/setup_intents/:id/cancel",
    params({ cancellation_reason: text.optional() }),
    ({ account }, _given, id) => {
      const intent = account.get("setup_intent", id);
      intent.status = "canceled";
      account.emit("setup_intent.canceled", intent);
      return intent;
    },
  ),
  operation(
    "GET /v1/payment_methods",
    listParams({ customer: text.optional(), type: z.literal("card").optional() }),
    ({ account }, given) =>
      pageOf(
        account
          .list("payment_method")
          .filter(({ customer }) => customer !== null && (given.customer ?? customer) === customer),
        "/v1/payment_methods",
        given,
      ),
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
  operation("POST /v1/payment_methods/:id/attach", params({ customer: text }), ({ account }, given, id) => {
    const method = account.get("payment_method", id);
    attach(account, method, account.get("customer", given.customer, "customer").id);
    return method;
  }),
  operation("POST /v1/payment_methods/:id/detach", params({}), ({ account }, _given, id) => {
    const method = account.get("payment_method", id);
    method.customer = null;
    account.emit("payment_method.detached", method);
    return method;
  }),
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
  operation(
    "GET /v1/refunds",
    listParams({ charge: text.optional(), payment_intent: text.optional(), created: timeRange.optional() }),
    ({ account }, given) =>
      pageOf(
        account
          .list("refund")
          .filter(
            (refund) =>
              (given.charge ?? refund.charge) === refund.charge &&
              (given.payment_intent ?? refund.payment_intent) === refund.payment_intent,
          ),
        "/v1/refunds",
        given,
      ),
  ),
  operation("GET /v1/refunds/:id", params({}), ({ account }, _given, id) => account.get("refund", id)),
];
