/** The routes where people make and revoke their podcast feed, and what apps read by its key. */
import { createHash } from "node:crypto";
import type { Context, Middleware } from "koa";
import { Router } from "koa-router";
import { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import { CreatedFeed, FEED_PATH, FeedState, MAX_FEED_TAPES } from "../../../common/feed-calls.ts";
import { contentTypeOf } from "../../../common/file-types.ts";
import type { Domain } from "../../domain/domain.ts";
import { createFeed, findTape, readFeed, revokeFeed, type OpenedFeed, type Tape } from "../../domain/feeds/feeds.ts";
import { KnownFeeds } from "../../domain/feeds/known-feeds.ts";
import type { FileStore } from "../../storage/file-store.ts";
import type { Call } from "../api-description/call.ts";
import { fileNameOf } from "../files/finished-file.ts";
import { sendFile } from "../files/send-file.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { FRESH_MS, requireFreshSignIn } from "../middleware/fresh-sign-in.ts";
import { signedIn } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { isKnown } from "../middleware/revalidate.ts";
import { sessionOf } from "../middleware/session.ts";
import { CHAPTERS_TYPE, chaptersDocument, feedDocument, tapeFileName } from "../pages/feed-document.ts";
import { negotiateLanguage } from "../pages/page-language.ts";

const EXAMPLE = { createdAt: "2026-01-15T09:31:00.000Z", lastReadAt: null } as const;

export const FEED_CALLS = {
  read: {
    route: "GET /api/feed",
    group: "Account",
    summary: "Read whether the account has a podcast feed",
    description: "The `feed` is null when it has none.",
    isForAccounts: true,
    answers: { 200: { description: "The feed", name: "FeedState", schema: FeedState, example: { feed: EXAMPLE } } },
  },
  create: {
    route: "POST /api/feed",
    group: "Account",
    summary: "Make the podcast feed, or give it another address",
    description:
      "Whoever has the address can follow the feed with any podcast app, without an account, and do nothing else: it has " +
      `what the account converts to sound, until it expires, the newest ${MAX_FEED_TAPES}. An account has one feed: a new ` +
      "address replaces the one before. The answer has the address, which cannot be read again, as a path of this site. " +
      "Needs a sign-in of the last ten minutes.",
    isForAccounts: true,
    answers: {
      201: {
        description: "The feed",
        name: "CreatedFeed",
        schema: CreatedFeed,
        example: { ...EXAMPLE, url: `${FEED_PATH}?key=made-of-random-characters-43-of-them-a1b2c` },
      },
    },
    errors: ["rate_limited", "fresh_sign_in_required"],
  },
  revoke: {
    route: "DELETE /api/feed",
    group: "Account",
    summary: "Revoke the podcast feed, if there is one",
    isForAccounts: true,
    answers: { 204: { description: "Its address does not work any more" } },
  },
} satisfies Record<string, Call>;

export function feedRoutes(domain: Domain, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(FEED_CALLS.read, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { feed: await readFeed(domain, userId) } satisfies FeedState;
  });

  router.on(FEED_CALLS.create, [limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    requireFreshSignIn(sessionOf(ctx), FRESH_MS);
    const { key, ...feed } = await createFeed(domain, userId, negotiateLanguage(ctx));
    ctx.set("Cache-Control", "private, no-store");
    ctx.status = 201;
    ctx.body = { ...feed, url: addressWith({ key }) } satisfies CreatedFeed;
  });

  router.on(FEED_CALLS.revoke, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await revokeFeed(domain, userId);
    ctx.status = 204;
  });

  return router;
}

const CHAPTERS_PATH = `${FEED_PATH}/chapters.json`;
const PICTURE_PATH = `${FEED_PATH}/picture.jpg`;
const Query = z.object({ key: z.string(), job: z.string().optional() });

/** In the query: logs and traces have the paths of requests only. */
function addressWith(query: z.infer<typeof Query>, path: string = FEED_PATH): string {
  return `${path}?${String(new URLSearchParams(query))}`;
}

export interface FeedParts {
  readonly store: FileStore;
  readonly limit: Limit;
  readonly downloads: Middleware<ViewerState>;
  /** The address of the site if the operator has set it; null: that of the request. */
  readonly siteUrl: string | null;
}

/**
 * The feed, its files and pictures. Apps have no cookies and get none. Must come before the files of pages, which have
 * endings too.
 */
export function sharedFeedRoutes(domain: Domain, { store, limit, downloads, siteUrl }: FeedParts): Router<ViewerState> {
  const router = new Router<ViewerState>();
  const feeds = new KnownFeeds(domain, tagOf);

  router.get(FEED_PATH, limit("feed"), async (ctx) => {
    const { key = "" } = queryOf(ctx);
    ctx.set({ "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex, nofollow" });
    const tags = ctx.get("If-None-Match");
    const known = feeds.tagOf(key);
    if (known !== undefined && isKnown(known, tags)) return sayUnchanged(ctx, known);
    const feed = await feeds.read(key);
    if (!feed) throw noFeed();
    if (isKnown(feed.tag, tags)) return sayUnchanged(ctx, feed.tag);
    ctx.type = "application/rss+xml; charset=utf-8";
    ctx.set("ETag", feed.tag);
    ctx.body = documentFor(feed, siteUrl ?? ctx.origin, key);
  });

  router.get(PICTURE_PATH, async (ctx) => {
    const { thumbnailKey } = await tapeFor(ctx);
    if (thumbnailKey === undefined) throw new UserError("not_found", "There is no picture of this tape.");
    await sendFile(ctx, store, { key: thumbnailKey, contentType: "image/jpeg" });
  });

  router.get(CHAPTERS_PATH, async (ctx) => {
    const { chapters = [] } = await tapeFor(ctx);
    ctx.set("Cache-Control", "private, no-cache");
    ctx.type = CHAPTERS_TYPE;
    ctx.body = JSON.stringify(chaptersDocument(chapters));
  });

  router.get(`${FEED_PATH}/tape.:ending`, downloads, async (ctx) => {
    const tape = await tapeFor(ctx);
    await sendFile(ctx, store, {
      key: tape.fileKey,
      contentType: contentTypeOf(tape),
      downloadName: fileNameOf(tape),
      isRevocable: true,
    });
  });

  async function tapeFor(ctx: Context): Promise<Tape> {
    ctx.set("X-Robots-Tag", "noindex, nofollow");
    const { key = "", job = "" } = queryOf(ctx);
    const tape = await findTape(domain, key, job);
    if (!tape) throw new UserError("not_found", "This tape is not kept any more, or its feed was turned off.");
    return tape;
  }

  return router;
}

function documentFor(feed: OpenedFeed, site: string, key: string): string {
  const addressOf = (path: string, { _id: job }: Tape): string => site + addressWith({ key, job }, path);
  return feedDocument(feed, {
    site,
    fileOf: (tape) => addressOf(`${FEED_PATH}/${tapeFileName(tape)}`, tape),
    pictureOf: (tape) => addressOf(PICTURE_PATH, tape),
    chaptersOf: (tape) => addressOf(CHAPTERS_PATH, tape),
  });
}

/** The same in all processes, and for all names of the site. */
function tagOf(feed: OpenedFeed): string {
  return `"${createHash("sha256")
    .update(documentFor(feed, "", ""))
    .digest("base64url")}"`;
}

function sayUnchanged(ctx: Context, tag: string): void {
  ctx.set("ETag", tag);
  ctx.status = 304;
}

function queryOf(ctx: Context): Partial<z.infer<typeof Query>> {
  return Query.safeParse(ctx.query).data ?? {};
}

/** Revoked, replaced and never made look the same. */
function noFeed(): UserError {
  return new UserError("not_found", "There is no feed at this address any more. Make a new one on the dashboard.");
}
