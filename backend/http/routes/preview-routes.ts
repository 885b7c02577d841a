/** The route of previews: title, picture and sizes of a video before its conversion. */
import type { z } from "zod";
import { Preview, PreviewRequest } from "../../../common/api.ts";
import { FoundTags, PreviewDetails } from "../../../common/preview-details.ts";
import type { Domain } from "../../domain/domain.ts";
import { previewLink, type Previews } from "../../domain/jobs/previews.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { READ_ERRORS, type Call } from "../api-description/call.ts";
import { LINK } from "../api-description/examples.ts";
import { CallRouter } from "../middleware/call-router.ts";
import type { Limit } from "../middleware/limit.ts";

const PreviewAnswer = Preview.extend({ details: PreviewDetails.optional(), tags: FoundTags.optional() });

const EXAMPLE: z.input<typeof PreviewAnswer> = {
  title: "Big Buck Bunny",
  thumbnail: null,
  durationSeconds: 634,
  estimates: {
    mp3: { quality: "128kbps", sizeBytes: 10_144_000, fits: true, note: null },
    mp4: { quality: "480p", sizeBytes: 45_400_000, fits: true, note: null },
  },
  tags: { title: "Big Buck Bunny", artist: "Blender", date: "2008-05-20", description: "An open movie." },
  details: {
    soundLanguages: ["en", "de"],
    chapters: [
      { title: "The meadow", startSeconds: 0 },
      { title: "Revenge", startSeconds: 301.5 },
    ],
    subtitles: [{ language: "en", isAutomatic: false }],
    sponsored: { count: 1, seconds: 12 },
  },
};

export const PREVIEW_CALLS = {
  preview: {
    route: "POST /api/preview",
    group: "Links and lists",
    summary: "Look at a link",
    tokens: "convert",
    description: "Tells title, length and what each format would be, without converting anything.",
    request: { name: "PreviewRequest", schema: PreviewRequest, example: { youtubeUrl: LINK } },
    answers: { 200: { description: "The video", name: "Preview", schema: PreviewAnswer, example: EXAMPLE } },
    errors: READ_ERRORS,
  },
} satisfies Record<string, Call>;

export function previewRoutes(domain: Domain, previews: Previews, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(PREVIEW_CALLS.preview, [limit("preview")], async (ctx) => {
    const { thumbnail, ...request } = ctx.state.input;
    await answerUnlessClosed(ctx, async (closed) => {
      const preview = await previewLink(domain, previews, ctx.state.viewer, request, closed);
      ctx.body = thumbnail ? preview : { ...preview, thumbnail: null };
    });
  });

  return router;
}
