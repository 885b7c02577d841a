/** The calls of the operator's page. */
import type { ErrorCode } from "../../../common/errors.ts";
import * as operatorCalls from "../../../common/operator-calls.ts";
import * as operator from "../../../common/operator.ts";
import type { DescribedAnswer, DescribedCall } from "./described-calls.ts";
import { EXAMPLES } from "./examples.ts";
import { OPERATOR_EXAMPLES } from "./operator-examples.ts";
import * as schemas from "./schemas.ts";

const FOR_OPERATORS =
  "For the session of an operator that signed in within the last hour, and for nothing else: not for tokens. Everybody " +
  "else gets 404.";
const ERRORS: readonly ErrorCode[] = ["not_found", "fresh_sign_in_required"];
/** An act of an operator may be refused as the visitor's own call is. */
const ACT_ERRORS: readonly ErrorCode[] = [
  "conflict",
  "blocked",
  "pro_required",
  "rate_limited",
  "network_busy",
  "queue_full",
  "payment_unconfigured",
  "payment_provider",
];

function describe(
  summary: string,
  answer: DescribedAnswer,
  more: Pick<DescribedCall, "request" | "errors"> = {},
): DescribedCall {
  return {
    group: "Operator",
    isForAccounts: true,
    summary,
    description: FOR_OPERATORS,
    ...more,
    answers: { 200: answer },
    errors: [...ERRORS, ...(more.errors ?? [])],
  };
}

export const DESCRIBED_OPERATOR_CALLS: Readonly<Record<string, DescribedCall>> = {
  "POST /api/operator/watch": describe("Begin to watch the server, or go on for 45 s: it pushes `operator`", {
    description: "The state now",
    schema: operator.OperatorState,
    example: OPERATOR_EXAMPLES.state,
  }),
  "GET /api/operator/history": describe("The last 24 hours in quarters of an hour", {
    description: "The quarters",
    schema: operator.OperatorHistory,
    example: OPERATOR_EXAMPLES.history,
  }),
  "GET /api/operator/records": describe("What operators did lately, and the block list", {
    description: "Both lists",
    schema: operator.OperatorRecords,
    example: OPERATOR_EXAMPLES.records,
  }),
  "POST /api/operator/acts": describe(
    "Do something for or against a job, an account or the whole site",
    { description: "Done", schema: schemas.Done, example: EXAMPLES.done },
    { request: { schema: operatorCalls.OperatorAct, example: OPERATOR_EXAMPLES.act }, errors: ACT_ERRORS },
  ),
  "POST /api/operator/accounts": describe(
    "Find the accounts with an email address",
    { description: "The accounts", schema: operatorCalls.FoundAccounts, example: OPERATOR_EXAMPLES.found },
    { request: { schema: operatorCalls.FindAccounts, example: OPERATOR_EXAMPLES.find }, errors: ["rate_limited"] },
  ),
  "GET /api/operator/accounts/:id/export": describe(
    "Download all stored data about an account",
    { description: "The data", schema: schemas.Nothing, example: {} },
    { errors: ["rate_limited"] },
  ),
};
