/** When a premiere or a live stream begins: YouTube names only the time until then, and a job is shown for a day. */
import { MINUTE_MS, SECOND_MS } from "../../../common/durations.ts";
import { type Reason } from "../../../common/reasons.ts";

/** Such as "Premieres in 2 hours" and "This live event will begin in a few moments." */
export const STARTS_LATER =
  /(?:This live event will begin|Premieres?(?: will begin)?) in (?:a few moments|(?<count>\d{1,4}) (?<unit>minute|hour|day)s?\b)/i;

const UNIT_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS };

/** @param match of {@link STARTS_LATER} */
export function startOfVideo({ groups = {} }: RegExpExecArray, nowMs: number): Reason {
  const { count = "1", unit = "minute" } = groups;
  const precision = unit.toLowerCase() as keyof typeof UNIT_MS;
  const startsMs = nowMs + Number(count) * UNIT_MS[precision];
  const wholeMinuteMs = Math.ceil(startsMs / MINUTE_MS) * MINUTE_MS;
  return { name: "starts_later", startsAt: new Date(wholeMinuteMs).toISOString(), precision };
}

/**
 * @param match has the moment that the site names, in seconds since 1970
 * @returns undefined for one that has passed, as where the site names none
 */
export function statedStart({ groups = {} }: RegExpExecArray, nowMs: number): Reason | undefined {
  const startsMs = Number(groups["seconds"]) * SECOND_MS;
  if (startsMs <= nowMs) return undefined;
  return { name: "starts_later", startsAt: new Date(startsMs).toISOString(), precision: "minute" };
}
