import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { isWithin, listParams, params, text, timeRange } from "./params.ts";

export const DISPUTE_OPERATIONS = [
  operation(
    "GET /v1/disputes",
    listParams({ charge: text.optional(), payment_intent: text.optional(), created: timeRange.optional() }),
    ({ account }, given) => {
      const matching = account
        .list("dispute")
        .filter(
          ({ charge, payment_intent, created }) =>
            (given.charge ?? charge) === charge &&
            (given.payment_intent ?? payment_intent) === payment_intent &&
            isWithin(created, given.created),
        );
      return pageOf(matching, "/v1/disputes", given);
    },
  ),
  operation("GET /v1/disputes/:id", params({}), ({ account }, _given, id) => account.get("dispute", id)),
];
