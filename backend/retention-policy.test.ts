import { expect, it } from "vitest";
import { ACCOUNT_DELETION_DAYS, RECORD_DAYS, USAGE_LOG_DAYS } from "../common/retention-policy.ts";
import { VARIABLES } from "./config-variables.ts";

it.each([
  ["USAGE_LOG_DAYS", USAGE_LOG_DAYS],
  ["ACCOUNT_PURGE_DAYS", ACCOUNT_DELETION_DAYS],
  ["HISTORY_DAYS", RECORD_DAYS],
] as const)("%s defaults to the retention policy and rejects a longer retention", (name, days) => {
  expect(VARIABLES[name].default).toBe(String(days));
  expect(VARIABLES[name].schema.safeParse(String(days)).success).toBe(true);
  expect(VARIABLES[name].schema.safeParse(String(days + 1)).success).toBe(false);
});
