/** The client's API calls of the operator's page. */
import { Done } from "../../../common/account-calls.ts";
import { FoundAccounts } from "../../../common/operator-calls.ts";
import type { OperatorAct } from "../../../common/operator-calls.ts";
import { OperatorHistory, OperatorRecords, OperatorState } from "../../../common/operator.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

/** Each call throws what {@link HttpClient.call} throws. */
export const operatorApi = {
  /** Also lets the server push the state for a while. */
  watch: (signal: AbortSignal) =>
    client.call("/api/operator/watch", OperatorState, { method: "POST", body: {}, signal, isSentOnce: true }),
  readHistory: (signal: AbortSignal) => client.call("/api/operator/history", OperatorHistory, { signal }),
  readRecords: (signal?: AbortSignal) => client.call("/api/operator/records", OperatorRecords, { signal }),
  // Sent once: an operator sees that an act did not arrive, and repeating one could do more than was asked for.
  act: (act: OperatorAct) => client.call("/api/operator/acts", Done, { method: "POST", body: act, isSentOnce: true }),
  findAccounts: async (email: string) =>
    (await client.call("/api/operator/accounts", FoundAccounts, { method: "POST", body: { email } })).accounts,
};

export const exportPath = (userId: string): string => `/api/operator/accounts/${encodeURIComponent(userId)}/export`;
