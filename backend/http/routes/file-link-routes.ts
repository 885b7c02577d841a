/** The routes of links that open the file of a job on another device, and what those links open. */
import type { Context, Middleware } from "koa";
import { Router } from "koa-router";
import { z } from "zod";
import { contentTypeOf } from "../../../common/file-types.ts";
import { CreatedFileLink, CreateFileLink, FILE_LINK_PATH, FileLinkState } from "../../../common/file-link-calls.ts";
import type { Domain } from "../../domain/domain.ts";
import {
  createFileLink,
  findLinkedJob,
  newLinkKey,
  openLinkedFile,
  readFileLink,
  revokeFileLink,
} from "../../domain/jobs/file-links.ts";
import type { FileStore } from "../../storage/file-store.ts";
import type { Call } from "../api-description/call.ts";
import { fileNameOf } from "../files/finished-file.ts";
import { sendFile } from "../files/send-file.ts";
import { CallRouter } from "../middleware/call-router.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { endedLinkPage, fileLinkPage } from "../pages/file-link-page.ts";
import { negotiateLanguage } from "../pages/page-language.ts";

const EXAMPLE = {
  lasts: "once",
  createdAt: "2026-01-15T09:31:00.000Z",
  endsAt: "2026-01-15T10:30:04.000Z",
  opened: 0,
} as const;

export const FILE_LINK_CALLS = {
  create: {
    route: "POST /api/conversions/:id/link",
    group: "Conversions",
    summary: "Make a link to the file of a job, for another device",
    tokens: "download",
    description:
      "Whoever has the link gets the file, without an account: once or for ten minutes, and as long as the file is kept. " +
      "It opens a page with the address of the file, and only a GET of that one counts as an opening. The address takes HEAD " +
      "and ranges, and goes on working for ten minutes after a link that works once was opened by it. A job has one link: " +
      "a new one replaces it. The answer has the link, which cannot be read again, as a path of this site.",
    request: { name: "CreateFileLink", schema: CreateFileLink, example: { lasts: "once" } },
    answers: {
      201: {
        description: "The link",
        name: "CreatedFileLink",
        schema: CreatedFileLink,
        example: { ...EXAMPLE, url: `${FILE_LINK_PATH}?key=22-random-characters-a` },
      },
    },
    errors: ["not_found", "blocked", "rate_limited"],
  },
  read: {
    route: "GET /api/conversions/:id/link",
    group: "Conversions",
    summary: "Read how often the link to the file was opened",
    tokens: "read",
    description: "Also after the link has ended. The `link` is null for a job that has none.",
    answers: {
      200: { description: "The link", name: "FileLink", schema: FileLinkState, example: { link: EXAMPLE } },
    },
    errors: ["not_found"],
  },
  revoke: {
    route: "DELETE /api/conversions/:id/link",
    group: "Conversions",
    summary: "Revoke the link to the file, if there is one",
    tokens: "download",
    answers: { 204: { description: "The link does not work any more. Downloads that have begun go on." } },
    errors: ["not_found"],
  },
} satisfies Record<string, Call>;

export function fileLinkRoutes(domain: Domain, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(FILE_LINK_CALLS.create, [limit("file-link")], async (ctx) => {
    const { viewer, input } = ctx.state;
    const { key, ...link } = await createFileLink(domain, viewer, ctx.params["id"] ?? "", input);
    ctx.set("Cache-Control", "private, no-store");
    ctx.status = 201;
    ctx.body = { ...link, url: addressWith({ key }) } satisfies CreatedFileLink;
  });

  router.on(FILE_LINK_CALLS.read, async (ctx) => {
    const link = await readFileLink(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    ctx.body = { link } satisfies FileLinkState;
  });

  router.on(FILE_LINK_CALLS.revoke, async (ctx) => {
    await revokeFileLink(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    ctx.status = 204;
  });

  return router;
}

const FILE_PATH = `${FILE_LINK_PATH}/file`;
const Query = z.object({ key: z.string(), ticket: z.string().optional() });

/** In the query: logs and traces have the paths of requests only. */
function addressWith(query: z.infer<typeof Query>, path = FILE_LINK_PATH): string {
  return `${path}?${String(new URLSearchParams(query))}`;
}

/** The page behind a link, and its file. Must come before the pages. */
export function linkedFileRoutes(
  domain: Domain,
  store: FileStore,
  limit: Middleware<ViewerState>,
): Router<ViewerState> {
  const router = new Router<ViewerState>();

  // Messengers look at the page for their preview: that is no opening.
  router.get(FILE_LINK_PATH, async (ctx) => {
    keepToYourself(ctx);
    const { key = "" } = queryOf(ctx);
    const job = await findLinkedJob(domain, key);
    if (!job) return sayEnded(ctx);
    const url = addressWith({ key, ticket: newLinkKey() }, FILE_PATH);
    ctx.type = "html";
    ctx.body = fileLinkPage(negotiateLanguage(ctx), {
      url,
      name: fileNameOf(job),
      sizeBytes: job.fileSize,
      endsAt: job.fileLink.lasts === "once" ? null : job.fileLink.endsAt,
    });
  });

  router.get(FILE_PATH, limit, async (ctx) => {
    keepToYourself(ctx);
    const { key = "", ticket } = queryOf(ctx);
    if (ticket === undefined) return sayEnded(ctx);
    const job = await (ctx.method === "HEAD" ? findLinkedJob : openLinkedFile)(domain, key, ticket);
    if (!job) return sayEnded(ctx);
    await sendFile(ctx, store, {
      key: job.fileKey,
      contentType: contentTypeOf(job),
      downloadName: fileNameOf(job),
      isRevocable: true,
    });
    ctx.set("Cache-Control", "private, no-store");
  });

  return router;
}

function queryOf(ctx: Context): Partial<z.infer<typeof Query>> {
  return Query.safeParse(ctx.query).data ?? {};
}

function keepToYourself(ctx: Context): void {
  ctx.set({
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
  });
}

/** Used, ended, revoked and never made look the same. */
function sayEnded(ctx: Context): void {
  ctx.status = 404;
  ctx.type = "html";
  ctx.body = endedLinkPage(negotiateLanguage(ctx));
}
