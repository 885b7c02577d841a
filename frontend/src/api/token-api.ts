/** The client's API calls about tokens, which the dashboard alone needs. */
import { CreatedToken, TokenList } from "../../../common/token-calls.ts";
import type { CreateToken } from "../../../common/token-calls.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

/** Each call throws what {@link HttpClient.call} throws. */
export const tokenApi = {
  list: async () => (await client.call("/api/tokens", TokenList)).tokens,
  /** Sent once: a repeated call would make a second token. @returns the token with its secret */
  create: (input: CreateToken) =>
    client.call("/api/tokens", CreatedToken, { method: "POST", body: input, isSentOnce: true }),
  remove: (id: string) => client.send(`/api/tokens/${id}`, { method: "DELETE", body: {} }),
};
