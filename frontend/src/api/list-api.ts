/** The client's API calls about lists, which the home page's first scripts do not need. */
import { ListPage } from "../../../common/lists.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Format } from "../../../common/tiers.ts";
import type { ListRequest } from "../../../common/lists.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

export type ListApi = typeof listApi;

/** Each call throws what {@link HttpClient.call} throws. */
export const listApi = {
  /** @returns a page of the list; the first one has fewer entries */
  readPage: (input: ListRequest, signal: AbortSignal) =>
    client.call("/api/lists", ListPage, { method: "POST", body: input, signal }),
  /** Converts new videos of the list from now on. */
  follow: (url: string, format: Format, choices: ConversionChoices | undefined) =>
    client.send("/api/follows", { method: "POST", body: { url, format, choices }, isSentOnce: true }),
};
