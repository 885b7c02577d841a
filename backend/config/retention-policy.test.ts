import { expect, it } from "vitest";
import { ACCOUNT_DELETION_DAYS, RECORD_DAYS, USAGE_LOG_DAYS } from "../../common/retention-policy.ts";
import { Settings } from "./settings.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

it.each([
  ["usageLogMs", USAGE_LOG_DAYS],
  // The sweeper deletes what is due within a day.
  ["accountPurgeMs", ACCOUNT_DELETION_DAYS - 1],
  ["historyMs", RECORD_DAYS],
] as const)("domain.%s defaults to the retention policy and rejects a longer retention", (name, days) => {
  expect(Settings.parse({}).domain[name]).toBe(days * DAY_MS);
  expect(Settings.safeParse({ domain: { [name]: days * DAY_MS } }).success).toBe(true);
  expect(Settings.safeParse({ domain: { [name]: days * DAY_MS + 1 } }).success).toBe(false);
});
