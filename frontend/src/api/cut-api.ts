/** The client's API calls about cuts, which come after the first scripts. */
import { z } from "zod";
import type { Part } from "../../../common/choices.ts";
import { Job } from "../../../common/job.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");
const Waveform = z.object({ peaks: z.array(z.number()) });

/** Each call throws what {@link HttpClient.call} throws. */
export const cutApi = {
  /** @param part of the whole video */
  create: (jobId: string, part: Part) =>
    client.call(`/api/conversions/${jobId}/cuts`, Job, { method: "POST", body: part }),
  /** @returns heights from 0 to 100, evenly over the file */
  peaks: async (jobId: string, signal: AbortSignal) =>
    (await client.call(`/api/conversions/${jobId}/waveform`, Waveform, { signal })).peaks,
};
