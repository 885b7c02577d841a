import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../common/durations.ts";
import { bounded } from "../../../common/bounded.ts";

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
