/** Where the seconds of a conversion went. */
import { z } from "zod";

const seconds = z.number().min(0);

/** The four parts add up to the time from the request to the file. */
export const Receipt = z.object({
  /** From the request, or the last retry, until the attempt that made the file began. */
  waitSeconds: seconds,
  /** Until the site had said where the video is. */
  siteSeconds: seconds,
  /** While bytes of the video came. What was encoded meanwhile is in it. */
  lineSeconds: seconds,
  /** Then until the file was stored. */
  ourSeconds: seconds,
  /** What the first estimate said that all of it would take; left out where the file was there before an estimate was. */
  promisedSeconds: seconds.optional(),
});
export type Receipt = z.infer<typeof Receipt>;
