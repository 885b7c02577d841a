/** The route of selections: many links of a list in one call. */
import { z } from "zod";
import { SelectionAnswer } from "../../../common/api.ts";
import { CreateSelection, MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Domain } from "../../domain/domain.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import { createSelection } from "../../domain/jobs/selections.ts";
import { QUEUE_ERRORS, type Call } from "../api-description/call.ts";
import { BATCH_ID, LINK, LIST_TITLE, OTHER_LINK, QUEUED_JOB } from "../api-description/examples.ts";
import { RefusedLineAnswer } from "../api-description/schemas.ts";
import { CallRouter } from "../middleware/call-router.ts";
import type { Limit } from "../middleware/limit.ts";
import { requestKeyOf } from "../middleware/request-key.ts";

export const SELECTION_CALLS = {
  create: {
    route: "POST /api/selections",
    group: "Batches",
    summary: "Convert what was chosen from a list",
    tokens: "convert",
    description:
      `Up to ${MAX_LIST_ENTRIES.toLocaleString("en")} links. The first ${TIERS.pro.batchSize} are queued at once, and ` +
      "more whenever few of them are left. All jobs have the same `batchId`. Of a list that is an album, pass its `album` " +
      "on in the choices, and the number of each link in it as `tracks`.\n\n" +
      `With \`asOneFile\`, which takes up to ${TIERS.pro.batchSize} links, there is one more job, the \`tape\`: when all others have ` +
      "ended it joins their files in their order, with a chapter for each. Of `mp3` it is an MP3, of `original` an M4A. It " +
      "has no `batchId`, its own events, and the limits of length and size of the plan hold for it as a whole. What is " +
      "missing on it stands in `songsMissing`. Deleting it leaves the other jobs alone; ending the batch ends it too. Pro only.",
    request: {
      name: "CreateSelection",
      schema: CreateSelection,
      example: { title: LIST_TITLE, urls: [LINK, OTHER_LINK], format: "mp3" },
    },
    isRepeatable: true,
    answers: {
      201: {
        description: "The first jobs",
        name: "SelectionAnswer",
        schema: SelectionAnswer.extend({ refused: z.array(RefusedLineAnswer) }),
        example: {
          batchId: BATCH_ID,
          total: 1,
          jobs: [{ ...QUEUED_JOB, batchId: BATCH_ID, batchTitle: LIST_TITLE, batchTotal: 1, batchPosition: 0 }],
          refused: [],
        },
      },
    },
    errors: ["invalid_link", "sign_in_required", ...QUEUE_ERRORS],
    // 5,000 links of 200 characters each. Those of the main site have 43.
    maxBodyBytes: 1024 * 1024,
  },
} satisfies Record<string, Call>;

/** @returns the cost of a selection for the rate limit: its lines, at most a batch, because the others wait */
function selectionCost(body: unknown): number {
  const { data } = CreateSelection.safeParse(body);
  return Math.min(Math.max(1, data?.urls.length ?? 0), TIERS.pro.batchSize);
}

export function selectionRoutes(domain: Domain, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(SELECTION_CALLS.create, [limit("create", selectionCost)], async (ctx) => {
    const { viewer, input } = ctx.state;
    const { batchId, total, jobs, tape, refused } = await createSelection(domain, viewer, input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = {
      batchId,
      total,
      jobs: jobs.map((job) => presentJob(job)),
      ...(tape && { tape: presentJob(tape) }),
      refused,
    } satisfies SelectionAnswer;
  });

  return router;
}
