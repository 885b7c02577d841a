/** The client's API calls about follows, which first scripts do without. */
import { Follow, FollowList } from "../../../common/follows.ts";
import type { ChangeFollow, CreateFollow } from "../../../common/follows.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

/** Each call throws what {@link HttpClient.call} throws. */
export const followApi = {
  list: async () => (await client.call("/api/follows", FollowList)).follows,
  create: (input: Partial<CreateFollow> & Pick<CreateFollow, "url">) =>
    client.call("/api/follows", Follow, { method: "POST", body: input, isSentOnce: true }),
  change: (id: string, change: ChangeFollow) =>
    client.call(`/api/follows/${id}`, Follow, { method: "POST", body: change }),
  remove: (id: string) => client.send(`/api/follows/${id}`, { method: "DELETE", body: {} }),
};
