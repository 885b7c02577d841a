import { z } from "zod";
import { voidInvoice } from "../billing/ending.ts";
import { DRAFT_SECONDS } from "../billing/invoicing.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { flag, isWithin, listParams, params, text, timeRange } from "./params.ts";

export const INVOICE_OPERATIONS = [
  operation(
    "GET /v1/invoices",
    listParams({
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
      created: timeRange.optional(),
    }),
    ({ account }, given) => {
      const matching = account
        .list("invoice")
        .filter(
          (invoice) =>
            (given.customer === undefined || invoice.customer === given.customer) &&
            (given.subscription === undefined ||
              invoice.parent.subscription_details.subscription === given.subscription) &&
            (given.status === undefined || invoice.status === given.status) &&
            isWithin(invoice.created, given.created),
        );
      return pageOf(matching, "/v1/invoices", given);
    },
  ),
  operation("GET /v1/invoices/:id", params({}), ({ account }, _given, id) => account.get("invoice", id)),
  operation("POST /v1/invoices/:id", params({ auto_advance: flag }), ({ account }, given, id) => {
    const invoice = account.get("invoice", id);
    const advances = given.auto_advance;
    const now = account.now();
    invoice.auto_advance = advances;
    invoice.automatically_finalizes_at = advances && invoice.status === "draft" ? now + DRAFT_SECONDS : null;
    invoice.next_payment_attempt = advances && invoice.status === "open" ? now + 1 : null;
    account.emit("invoice.updated", invoice);
    return invoice;
  }),
  operation("POST /v1/invoices/:id/void", params({}), ({ account }, _given, id) => {
    const invoice = account.get("invoice", id);
    voidInvoice(account, invoice);
    return invoice;
  }),
  operation(
    "GET /v1/invoice_payments",
    listParams({
      invoice: text.optional(),
      status: z.enum(["canceled", "open", "paid"]).optional(),
      payment: z
        .strictObject({
          type: z.enum(["payment_intent", "charge"]),
          payment_intent: text.optional(),
          charge: text.optional(),
        })
        .optional(),
      created: timeRange.optional(),
    }),
    ({ account }, given) => {
      const matching = account
        .list("invoice_payment")
        .filter(
          (payment) =>
            (given.invoice === undefined || payment.invoice === given.invoice) &&
            (given.status === undefined || payment.status === given.status) &&
            (given.payment?.payment_intent === undefined ||
              payment.payment.payment_intent === given.payment.payment_intent),
        );
      return pageOf(matching, "/v1/invoice_payments", given);
    },
  ),
  operation("GET /v1/invoice_payments/:id", params({}), ({ account }, _given, id) =>
    account.get("invoice_payment", id),
  ),
];
