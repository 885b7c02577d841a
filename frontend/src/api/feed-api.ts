/** The client's API calls about the podcast feed, which the dashboard alone needs. */
import { CreatedFeed, FeedState } from "../../../common/feed-calls.ts";
import type { Feed } from "../../../common/feed-calls.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");
/** An account has one. */
const ID = { id: "feed" };

/** Each call throws what {@link HttpClient.call} throws. */
export const feedApi = {
  list: async (): Promise<(Feed & { id: string })[]> => {
    const { feed } = await client.call("/api/feed", FeedState);
    return feed ? [{ ...feed, ...ID }] : [];
  },
  /** Sent once: a repeated call would make another address. @returns the feed with its address as the secret */
  create: async () => {
    const options = { method: "POST", body: {}, isSentOnce: true } as const;
    const { url, ...feed } = await client.call("/api/feed", CreatedFeed, options);
    return { ...feed, ...ID, secret: window.location.origin + url };
  },
  remove: () => client.send("/api/feed", { method: "DELETE", body: {} }),
};
