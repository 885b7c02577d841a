/** Schemas of the calls about the private podcast feed of an account. */
import { z } from "zod";

/** A feed without its key. */
export const Feed = z.object({
  createdAt: z.iso.datetime(),
  /** When an app last read it, to some minutes; null before the first time. */
  lastReadAt: z.iso.datetime().nullable(),
});
export type Feed = z.infer<typeof Feed>;

/** Response of GET /api/feed. */
export const FeedState = z.object({ feed: Feed.nullable() });
export type FeedState = z.infer<typeof FeedState>;

/** Response of POST /api/feed: the only answer with the address, as a path of this site. */
export const CreatedFeed = Feed.extend({ url: z.string() });
export type CreatedFeed = z.infer<typeof CreatedFeed>;

/** The path of the feed. */
export const FEED_PATH = "/feed";

/** Most tapes in a feed: the newest ones. Many apps read no more, and each poll that finds a change sends them all. */
export const MAX_FEED_TAPES = 100;
