/** The routes of follows: playlists and channels whose new videos are converted as they come. */
import { ChangeFollow, CreateFollow, Follow, FollowList, MAX_VIDEOS_PER_DAY } from "../../../common/follows.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { Domain } from "../../domain/domain.ts";
import { changeFollow, createFollow, listFollows, removeFollow } from "../../domain/follows/follows.ts";
import type { Lists } from "../../domain/jobs/lists.ts";
import { READ_ERRORS, type Call } from "../api-description/call.ts";
import { LINK, LIST_TITLE, OTHER_LINK, QUEUED_JOB } from "../api-description/examples.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { signedIn } from "../middleware/guards.ts";
import type { Limit } from "../middleware/limit.ts";

const EXAMPLE: Follow = {
  id: "wq1dQ2Y4cVb0bG3mJm3cS8mM2xw7kq2yq0m0pGq3x9E",
  link: "https://www.youtube.com/playlist?list=PL6B3937A5D230E335",
  title: LIST_TITLE,
  format: "mp3",
  perDay: 5,
  quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" },
  createdAt: "2026-01-01T00:00:00.000Z",
  state: "on",
  nextLookAt: "2026-01-15T10:35:12.000Z",
  lastLookAt: "2026-01-15T09:30:00.000Z",
  failure: null,
  waiting: [{ link: OTHER_LINK, title: "Sprite Fright", problem: "upcoming" }],
  came: [
    {
      link: LINK,
      title: "Big Buck Bunny",
      at: "2026-01-15T09:30:00.000Z",
      job: { id: QUEUED_JOB.id, status: "queued" },
      failure: null,
    },
  ],
};

export const FOLLOW_CALLS = {
  list: {
    route: "GET /api/follows",
    group: "Follows",
    summary: "List what the account follows, with what came",
    tokens: "read",
    isForAccounts: true,
    answers: {
      200: {
        description: "The follows, newest first",
        name: "FollowList",
        schema: FollowList,
        example: { follows: [EXAMPLE] },
      },
    },
  },
  create: {
    route: "POST /api/follows",
    group: "Follows",
    summary: "Follow a playlist or channel",
    tokens: "convert",
    description:
      "New videos become conversions of the account as they come; the list is looked at once an hour. What it has already " +
      `is not converted, apart from the first \`newest\` of it. Pro only: up to ${TIERS.pro.maxFollows} lists, and up to ` +
      `${MAX_VIDEOS_PER_DAY} videos of each in 24 hours; others wait. Premieres and live streams wait until they are over.`,
    isForAccounts: true,
    request: {
      name: "CreateFollow",
      schema: CreateFollow,
      example: { url: EXAMPLE.link, format: "mp3", perDay: 5, quietHours: EXAMPLE.quietHours, newest: 0 },
    },
    answers: {
      201: {
        description: "The follow",
        name: "Follow",
        schema: Follow,
        example: { ...EXAMPLE, waiting: [], came: [] },
      },
    },
    errors: [...READ_ERRORS, "conflict"],
  },
  change: {
    route: "POST /api/follows/:id",
    group: "Follows",
    summary: "Pause, resume or set a follow",
    tokens: "convert",
    isForAccounts: true,
    request: { name: "ChangeFollow", schema: ChangeFollow, example: { isPaused: true } },
    answers: {
      200: {
        description: "The follow",
        name: "Follow",
        schema: Follow,
        example: { ...EXAMPLE, state: "paused", nextLookAt: null },
      },
    },
    errors: ["not_found"],
  },
  remove: {
    route: "DELETE /api/follows/:id",
    group: "Follows",
    summary: "Stop following; what came stays",
    tokens: "convert",
    isForAccounts: true,
    answers: { 204: { description: "Stopped" } },
    errors: ["not_found"],
  },
} satisfies Record<string, Call>;

const userOf = (viewer: Viewer): Viewer & { readonly userId: string } => ({ ...viewer, ...signedIn(viewer) });

export function followRoutes(domain: Domain, lists: Lists, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(FOLLOW_CALLS.list, async (ctx) => {
    ctx.body = { follows: await listFollows(domain, userOf(ctx.state.viewer)) } satisfies FollowList;
  });

  router.on(FOLLOW_CALLS.create, [limit("preview")], async (ctx) => {
    const { viewer, input } = ctx.state;
    await answerUnlessClosed(ctx, async (closed) => {
      ctx.body = await createFollow(domain, lists, viewer, input, closed);
      ctx.status = 201;
    });
  });

  router.on(FOLLOW_CALLS.change, [limit("account")], async (ctx) => {
    const { viewer, input } = ctx.state;
    ctx.body = await changeFollow(domain, userOf(viewer), ctx.params["id"] ?? "", input);
  });

  router.on(FOLLOW_CALLS.remove, async (ctx) => {
    await removeFollow(domain, userOf(ctx.state.viewer).userId, ctx.params["id"] ?? "");
    ctx.status = 204;
  });

  return router;
}
