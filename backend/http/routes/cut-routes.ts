/** The routes of cuts: a part of a finished file, and the waveform to choose it by. */
import { z } from "zod";
import { Part } from "../../../common/choices.ts";
import { cutJob } from "../../domain/jobs/cut-jobs.ts";
import type { Domain } from "../../domain/domain.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import { readWaveform, type Waveforms } from "../../domain/jobs/waveforms.ts";
import { QUEUE_ERRORS, type Call } from "../api-description/call.ts";
import { QUEUED_JOB } from "../api-description/examples.ts";
import { jobAnswer } from "../api-description/schemas.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { CallRouter } from "../middleware/call-router.ts";
import type { Limit } from "../middleware/limit.ts";
import { requestKeyOf } from "../middleware/request-key.ts";

const PART = { startSeconds: 30, endSeconds: 90 };
const Waveform = z.object({ peaks: z.array(z.number().int().min(0).max(100)).max(1_200) });

export const CUT_CALLS = {
  cut: {
    route: "POST /api/conversions/:id/cuts",
    group: "Conversions",
    summary: "Cut the file of a completed job anew",
    description:
      "Makes a new job for a part of the stored file, in its format and with its choices, without asking the video site. " +
      "The part is named on the time line of the whole video, as `choices.part` is, and lies in the file. A transcript, " +
      "files of chapters, and a file that sponsored segments were cut out of cannot be cut. If the file is deleted before " +
      "its part is cut, the job fails with `unavailable` and the reason `file_gone`: convert the part from the link.",
    tokens: "convert",
    request: { name: "Cut", schema: Part, example: PART },
    isRepeatable: true,
    answers: { 201: jobAnswer("The queued job", { ...QUEUED_JOB, choices: { part: PART } }) },
    errors: ["not_found", "blocked", ...QUEUE_ERRORS],
  },
  waveform: {
    route: "GET /api/conversions/:id/waveform",
    group: "Conversions",
    summary: "Read how loud the file of a completed job is",
    description:
      "Peaks from 0 to 100, evenly over the length of the file. Made when they are asked for; `unavailable_now` for a file " +
      "that has no sound, and while too many are made.",
    tokens: "read",
    answers: {
      200: { description: "The peaks", name: "Waveform", schema: Waveform, example: { peaks: [3, 41, 97, 12] } },
    },
    errors: ["not_found", "blocked", "bad_request", "rate_limited"],
  },
} satisfies Record<string, Call>;

export function cutRoutes(domain: Domain, waveforms: Waveforms, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(CUT_CALLS.cut, [limit("create")], async (ctx) => {
    const job = await cutJob(domain, ctx.state.viewer, ctx.params["id"] ?? "", ctx.state.input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = presentJob(job);
  });

  // It costs as much as a look at a link.
  router.on(CUT_CALLS.waveform, [limit("preview")], async (ctx) => {
    await answerUnlessClosed(ctx, async (closed) => {
      const peaks = await readWaveform(domain, waveforms, ctx.state.viewer, ctx.params["id"] ?? "", closed);
      ctx.body = { peaks };
    });
  });

  return router;
}
