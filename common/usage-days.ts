/** Usage by day, which the dashboard draws. */
import { z } from "zod";

/** How many days there are, today included. The log of usage is kept for longer. */
export const USAGE_DAYS = 30;

/** Usage of one day in UTC. */
export const UsageDay = z.object({
  /** YYYY-MM-DD. */
  day: z.iso.date(),
  conversions: z.number().int().min(0),
  /** Bytes of finished files. */
  dataUsed: z.number().min(0),
});
export type UsageDay = z.infer<typeof UsageDay>;

/** GET /api/usage/days: oldest first, with the days without conversions. */
export const UsageDays = z.object({ days: z.array(UsageDay) });
export type UsageDays = z.infer<typeof UsageDays>;
