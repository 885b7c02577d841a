/** The client's API calls about tokens, which the dashboard alone needs. */
import { CreatedToken, TokenList } from "../../../common/token-calls.ts";
import type { CreateToken } from "../../../common/token-calls.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

export type TokenApi = typeof tokenApi;

/** Each call throws what {@link HttpClient.call} throws. */
export const tokenApi = {
  list: () => client.call("/api/tokens", TokenList),
  /** Sent once: a repeated call would make a second token. @returns the token with its secret */
  create: (input: CreateToken) =>
    client.call("/api/tokens", CreatedToken, { method: "POST", body: input, isSentOnce: true }),
  revoke: (id: string) => client.send(`/api/tokens/${id}`, { method: "DELETE", body: {} }),
};
