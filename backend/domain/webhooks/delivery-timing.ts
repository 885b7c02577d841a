import { z } from "zod";
import { bounded } from "../../../common/bounded.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const DeliveryTiming = z.strictObject({
  /** Delay after the first failure; it doubles with each further one, up to `maxDelayMs`. */
  firstDelayMs: bounded(5 * SECOND_MS, 1, HOUR_MS),
  maxDelayMs: bounded(HOUR_MS, 1, DAY_MS),
  /** A message is given up after this time. If none was delivered in it, the webhook is turned off. */
  giveUpMs: bounded(DAY_MS, 1, DAY_MS),
  /** How long a program may take to answer. */
  timeoutMs: bounded(10 * SECOND_MS, 50, MINUTE_MS),
});
export type DeliveryTiming = Readonly<z.infer<typeof DeliveryTiming>>;
