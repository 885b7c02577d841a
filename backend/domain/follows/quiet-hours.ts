import { MINUTE_MS } from "../../../common/durations.ts";
import type { QuietHours } from "../../../common/follows.ts";

const DAY_MINUTES = 24 * 60;

/** @returns the minute of the day in a time zone */
function minuteOfDay(now: Date, timeZone: string): number {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(now);
  return minutesOf(time);
}

function minutesOf(time: string): number {
  const [hours = "", minutes = ""] = time.split(":");
  return (Number(hours) * 60 + Number(minutes)) % DAY_MINUTES;
}

const later = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;

/**
 * @returns when the quiet hours end in which a moment lies; null when it lies in none. When clocks are changed meanwhile,
 *   it is the moment at which an hour is left, or an hour late
 */
export function endOfQuiet({ from, to, timeZone }: QuietHours, now: Date): Date | null {
  const minute = minuteOfDay(now, timeZone);
  const isQuiet = later(minutesOf(from), minute) < later(minutesOf(from), minutesOf(to));
  if (!isQuiet) return null;
  const startOfMinuteMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(startOfMinuteMs + later(minute, minutesOf(to)) * MINUTE_MS);
}
