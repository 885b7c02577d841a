/** The client's API calls about links to files, which come after the first scripts. */
import { CreatedFileLink, FileLinkState } from "../../../common/file-link-calls.ts";
import type { LinkLasts } from "../../../common/file-link-calls.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");
const pathOf = (jobId: string) => `/api/conversions/${jobId}/link`;

/** Each call throws what {@link HttpClient.call} throws. */
export const fileLinkApi = {
  /** Sent again without an answer: the last link is the one that works. */
  create: (jobId: string, lasts: LinkLasts) =>
    client.call(pathOf(jobId), CreatedFileLink, { method: "POST", body: { lasts } }),
  /** @returns null for a job without a link */
  read: async (jobId: string, signal?: AbortSignal) =>
    (await client.call(pathOf(jobId), FileLinkState, { signal })).link,
  revoke: (jobId: string) => client.send(pathOf(jobId), { method: "DELETE", body: {} }),
};
