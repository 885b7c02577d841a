import { z } from "zod";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../common/durations.ts";
import { bounded } from "../../common/bounded.ts";

/** How often browsers are pushed to, and how many may be connected. */
export const RealtimeLimits = z.strictObject({
  /** At most five pushes of one job are sent within five of these intervals: five per second. */
  pushIntervalMs: bounded(200, 0, MINUTE_MS),
  /** Open pages of one device with a socket to one process, and programs of one account. */
  socketsPerDevice: bounded(20, 1, 10_000),
  /**
   * Sockets that a network (a /24 of IPv4, a /64 of IPv6) may have open to one process. A page without a socket polls,
   * so that the visitors of a large office lose little.
   */
  socketsPerNetwork: bounded(500, 1, 1_000_000),
  /** A connection that does not say within this time whose it is, is closed. */
  identifyMs: bounded(5 * SECOND_MS, 50, MINUTE_MS),
  /** A browser that reconnects within this time gets the events that it missed before its snapshot. */
  recoveryMs: bounded(2 * MINUTE_MS, 0, HOUR_MS),
  pingIntervalMs: bounded(10 * SECOND_MS, 100, 5 * MINUTE_MS),
  /** A socket that does not answer a ping within this time is closed. */
  pingTimeoutMs: bounded(8 * SECOND_MS, 100, 5 * MINUTE_MS),
  /** Interval between checks that the sessions of open sockets are still valid. */
  sessionCheckMs: bounded(5 * SECOND_MS, 50, HOUR_MS),
  /** From the end of one push of the operator's page to the next one. */
  operatorPushMs: bounded(2 * SECOND_MS, 50, MINUTE_MS),
});
export type RealtimeLimits = Readonly<z.infer<typeof RealtimeLimits>>;
