import type { Plan } from "../../../../common/api.ts";

/**
 * @returns when a plan that is paid now is paid again: on the same day of the month, or on the last day of a shorter
 * month, as the payment provider counts
 */
export function renewalOf(plan: Plan, paidAt: Date): Date {
  const renewal = new Date(paidAt);
  renewal.setMonth(paidAt.getMonth() + (plan === "yearly" ? 12 : 1));
  // A day that the month does not have is in the month after it.
  if (renewal.getDate() !== paidAt.getDate()) renewal.setDate(0);
  return renewal;
}
