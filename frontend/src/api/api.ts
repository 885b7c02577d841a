/** The client's API calls. Every response is parsed with the schemas that server and client share. */
import { z } from "zod";
import { BatchAnswer, Preview, SelectionAnswer } from "../../../common/api.ts";
import type { CreateBatch, CreateConversion, PreviewRequest } from "../../../common/api.ts";
import { Job } from "../../../common/job.ts";
import type { CreateSelection } from "../../../common/lists.ts";
import { HttpClient } from "./http-client.ts";
import type { Call } from "./http-client.ts";

const Jobs = z.object({ jobs: z.array(Job) });

export type Api = ReturnType<typeof createApi>;

/**
 * Creates the API client.
 * @param baseUrl prefix of every path; empty in the browser, where paths are relative to the page
 * @returns the calls; each throws what {@link HttpClient.call} throws
 */
export function createApi(baseUrl = "") {
  const client = new HttpClient(baseUrl);
  const call = <Shape extends z.ZodType>(path: string, shape: Shape, options?: Call) =>
    client.call(path, shape, options);
  const batchPath = (id: string) => `/api/batch-conversions/${encodeURIComponent(id)}`;
  const sentOnce = { method: "POST", isSentOnce: true } as const;
  const change = { ...sentOnce, keepalive: true } as const;
  const jobPath = (id: string) => `/api/conversions/${encodeURIComponent(id)}`;

  return {
    /** Preview of a link; `thumbnail: false` leaves out the picture. */
    preview: (input: PreviewRequest, signal: AbortSignal) =>
      call("/api/preview", Preview, { method: "POST", body: input, signal }),
    // Calls that change jobs have no retries here: the outbox retries them, with the key of {@link newRequestKey}. The
    // page shows their result at once, so the visitor may leave before they are sent: `keepalive`, which browsers take
    // for 64 KiB at a time, where the body is small.
    createConversion: (input: CreateConversion, signal?: AbortSignal, key?: string) =>
      call("/api/conversions", Job, { ...change, body: input, signal, key }),
    createBatch: (input: Omit<CreateBatch, "quality">, signal?: AbortSignal, key?: string) =>
      call("/api/batch-conversions", BatchAnswer, { ...sentOnce, body: input, signal, key }),
    /** Queues links that were chosen from a list. */
    createSelection: (input: CreateSelection, signal?: AbortSignal, key?: string) =>
      call("/api/selections", SelectionAnswer, { ...sentOnce, body: input, signal, key }),
    /** Cancels the active jobs of a batch. @returns the canceled jobs */
    cancelBatch: async (id: string, signal?: AbortSignal) =>
      (await call(batchPath(id), Jobs, { method: "DELETE", signal, keepalive: true })).jobs,
    /** Retries the failed and canceled jobs of a batch. @returns the retried jobs */
    retryBatch: async (id: string, signal?: AbortSignal, key?: string) =>
      (await call(`${batchPath(id)}/retry`, Jobs, { ...change, body: {}, signal, key })).jobs,

    getConversion: (id: string, signal?: AbortSignal) => call(jobPath(id), Job, { signal }),
    retryConversion: (id: string, signal?: AbortSignal, key?: string) =>
      call(`${jobPath(id)}/retry`, Job, { ...change, body: {}, signal, key }),

    /** Rejected with 409 when the job has ended, so that a late click does not remove its file. */
    cancelConversion: (id: string, signal?: AbortSignal) =>
      call(`${jobPath(id)}?while=active`, Job, { method: "DELETE", signal, keepalive: true }),
    /** Removes a job. The first DELETE only cancels an active job; then a second one removes it. */
    async removeConversion(id: string, signal?: AbortSignal): Promise<void> {
      const answer = await client.send(jobPath(id), { method: "DELETE", signal, keepalive: true });
      if (answer.status !== 204) await client.send(jobPath(id), { method: "DELETE", signal, keepalive: true });
    },

    /** For calls that only other scripts than the first ones make. */
    client,
  };
}
