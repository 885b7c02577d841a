/** The route of lists: the entries of a playlist or channel before some of them are converted. */
import { ListPage, ListRequest, MAX_PICTURED_ENTRIES } from "../../../common/lists.ts";
import type { Domain } from "../../domain/domain.ts";
import { readListPage, type Lists } from "../../domain/jobs/lists.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { READ_ERRORS, type Call } from "../api-description/call.ts";
import { LINK, LIST_TITLE, OTHER_LINK } from "../api-description/examples.ts";
import { CallRouter } from "../middleware/call-router.ts";
import type { Limit } from "../middleware/limit.ts";

const LIST_LINK = "https://www.youtube.com/playlist?list=PL6B3937A5D230E335";

const EXAMPLE: ListPage = {
  link: LIST_LINK,
  title: LIST_TITLE,
  total: 2,
  isCut: false,
  offset: 0,
  entries: [
    { link: LINK, title: "Big Buck Bunny", durationSeconds: 634 },
    { link: OTHER_LINK, title: "[Private video]", durationSeconds: null, problem: "private" },
  ],
  next: null,
};

export const LIST_CALLS = {
  read: {
    route: "POST /api/lists",
    group: "Links and lists",
    summary: "Read a page of a playlist, channel, album or podcast",
    tokens: "convert",
    description:
      "Ask for the next page with the `next` of the last one as `offset`. A post with several videos is a list too: the " +
      "link of one without an address of its own has its number, `#video=2`. With `thumbnails` a list of at most " +
      `${MAX_PICTURED_ENTRIES} entries has their pictures, as data URLs.`,
    request: { name: "ListRequest", schema: ListRequest, example: { youtubeUrl: LIST_LINK, offset: 0 } },
    answers: { 200: { description: "A page of entries", name: "ListPage", schema: ListPage, example: EXAMPLE } },
    errors: READ_ERRORS,
  },
} satisfies Record<string, Call>;

export function listRoutes(domain: Domain, lists: Lists, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(LIST_CALLS.read, [limit("preview")], async (ctx) => {
    const { viewer, input } = ctx.state;
    await answerUnlessClosed(ctx, async (closed) => {
      ctx.body = await readListPage(domain, lists, viewer, input, closed);
    });
  });

  return router;
}
