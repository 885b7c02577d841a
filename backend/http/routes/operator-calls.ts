/** The declarations of the calls of the operator's page. */
import type { ErrorCode } from "../../../common/errors.ts";
import { FindAccounts, FoundAccounts, OperatorAct } from "../../../common/operator-calls.ts";
import { OperatorHistory, OperatorRecords, OperatorState } from "../../../common/operator.ts";
import type { Answer, Call } from "../api-description/call.ts";
import { OPERATOR_EXAMPLES } from "../api-description/operator-examples.ts";
import { doneAnswer, Nothing } from "../api-description/schemas.ts";

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

/** What all of them have in common. */
const OF_OPERATORS = { group: "Operator", isForAccounts: true, description: FOR_OPERATORS, errors: ERRORS } as const;

const DATA: Answer = { description: "The data", schema: Nothing, example: {} };

export const OPERATOR_CALLS = {
  watch: {
    ...OF_OPERATORS,
    route: "POST /api/operator/watch",
    summary: "Begin to watch the server, or go on for 45 s: it pushes `operator`",
    answers: {
      200: {
        description: "The state now",
        name: "OperatorState",
        schema: OperatorState,
        example: OPERATOR_EXAMPLES.state,
      },
    },
  },
  history: {
    ...OF_OPERATORS,
    route: "GET /api/operator/history",
    summary: "The last 24 hours in quarters of an hour",
    answers: {
      200: {
        description: "The quarters",
        name: "OperatorHistory",
        schema: OperatorHistory,
        example: OPERATOR_EXAMPLES.history,
      },
    },
  },
  records: {
    ...OF_OPERATORS,
    route: "GET /api/operator/records",
    summary: "What operators did lately, and the block list",
    answers: {
      200: {
        description: "Both lists",
        name: "OperatorRecords",
        schema: OperatorRecords,
        example: OPERATOR_EXAMPLES.records,
      },
    },
  },
  act: {
    ...OF_OPERATORS,
    route: "POST /api/operator/acts",
    summary: "Do something for or against a job, an account or the whole site",
    request: { name: "OperatorAct", schema: OperatorAct, example: OPERATOR_EXAMPLES.act },
    answers: { 200: doneAnswer("Done") },
    errors: [...ERRORS, ...ACT_ERRORS],
  },
  findAccounts: {
    ...OF_OPERATORS,
    route: "POST /api/operator/accounts",
    summary: "Find the accounts with an email address",
    request: { name: "FindAccounts", schema: FindAccounts, example: OPERATOR_EXAMPLES.find },
    answers: {
      200: {
        description: "The accounts",
        name: "FoundAccounts",
        schema: FoundAccounts,
        example: OPERATOR_EXAMPLES.found,
      },
    },
    errors: [...ERRORS, "rate_limited"],
  },
  exportAccount: {
    ...OF_OPERATORS,
    route: "GET /api/operator/accounts/:id/export",
    summary: "Download all stored data about an account",
    answers: { 200: DATA },
    errors: [...ERRORS, "rate_limited"],
  },
} satisfies Record<string, Call>;
