/** The client's API calls about lists, which the home page's first scripts do not need. */
import { ListPage } from "../../../common/lists.ts";
import type { ListRequest } from "../../../common/lists.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

export type ListApi = typeof listApi;

/** Each call throws what {@link HttpClient.call} throws. */
export const listApi = {
  /** @returns a page of the list; the first one has fewer entries */
  readPage: (input: ListRequest, signal: AbortSignal) =>
    client.call("/api/lists", ListPage, { method: "POST", body: input, signal }),
};
