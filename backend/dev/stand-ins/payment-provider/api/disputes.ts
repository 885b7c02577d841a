import { z } from "zod";
import { answerDispute, settleDispute } from "../billing/disputing.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { emptiableMetadata, flag, isWithin, listParams, mergeMetadata, params, text, timeRange } from "./params.ts";

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
  operation(
    "POST /v1/disputes/:id",
    params({
      evidence: z.record(z.string(), text).optional(),
      metadata: emptiableMetadata.optional(),
      submit: flag.optional(),
    }),
    ({ account }, given, id) => {
      const dispute = account.get("dispute", id);
      Object.assign(dispute.evidence, given.evidence);
      dispute.metadata = mergeMetadata(dispute.metadata, given.metadata);
      if (given.submit ?? true) answerDispute(account, dispute);
      return dispute;
    },
  ),
  // Closing a dispute accepts it as lost.
  operation("POST /v1/disputes/:id/close", params({}), ({ account }, _given, id) => {
    const dispute = account.get("dispute", id);
    settleDispute(account, dispute, "lost");
    return dispute;
  }),
];
