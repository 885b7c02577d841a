/** The declarations of the calls about batches. */
import { z } from "zod";
import { BatchAnswer, CreateBatch } from "../../../common/api.ts";
import { Job } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import { QUEUE_ERRORS, type Call } from "../api-description/call.ts";
import { BATCH_ID, LINK, QUEUED_JOB } from "../api-description/examples.ts";
import { RefusedLineAnswer } from "../api-description/schemas.ts";

const ChangedJobs = z.object({ jobs: z.array(Job) });

export const BATCH_CALLS = {
  create: {
    route: "POST /api/batch-conversions",
    group: "Batches",
    summary: `Convert up to ${TIERS.pro.batchSize} links together`,
    tokens: "convert",
    description: "Each link is checked on its own. Pro only.",
    request: { name: "CreateBatch", schema: CreateBatch, example: { urls: [LINK, "cats"], format: "mp3" } },
    isRepeatable: true,
    answers: {
      201: {
        description: "The queued jobs",
        name: "BatchAnswer",
        schema: BatchAnswer.extend({ refused: z.array(RefusedLineAnswer) }),
        example: {
          batchId: BATCH_ID,
          jobs: [{ ...QUEUED_JOB, batchId: BATCH_ID }],
          refused: [{ line: 2, url: "cats", code: "invalid_link", message: "Please enter a valid YouTube URL" }],
        },
      },
    },
    errors: ["invalid_link", ...QUEUE_ERRORS],
  },
  cancel: {
    route: "DELETE /api/batch-conversions/:id",
    group: "Batches",
    summary: "Cancel the active jobs of a batch, and what waits of a selection",
    tokens: "convert",
    answers: {
      200: {
        description: "The canceled jobs",
        name: "ChangedJobs",
        schema: ChangedJobs,
        example: { jobs: [{ ...QUEUED_JOB, status: "canceled", batchId: BATCH_ID }] },
      },
    },
    errors: ["not_found"],
  },
  retry: {
    route: "POST /api/batch-conversions/:id/retry",
    group: "Batches",
    summary: "Queue the failed and canceled jobs of a batch again",
    tokens: "convert",
    answers: {
      200: {
        description: "The queued jobs",
        name: "ChangedJobs",
        schema: ChangedJobs,
        example: { jobs: [{ ...QUEUED_JOB, batchId: BATCH_ID, attempt: 2 }] },
      },
    },
    errors: ["not_found", ...QUEUE_ERRORS],
  },
  zip: {
    route: "GET /api/batch-conversions/:id/zip",
    group: "Batches",
    summary: "Download all files of a batch as one ZIP",
    tokens: "download",
    answers: { 200: { description: "The ZIP", mediaTypes: ["application/zip"] } },
    errors: ["not_found", "rate_limited"],
  },
} satisfies Record<string, Call>;
