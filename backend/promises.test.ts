import { expect, it } from "vitest";
import { ACCOUNT_DELETION_DAYS, RECORD_DAYS, USAGE_LOG_DAYS } from "../common/promises.ts";
import { VARIABLES } from "./config-variables.ts";

it.each([
  ["USAGE_LOG_DAYS", USAGE_LOG_DAYS],
  ["ACCOUNT_PURGE_DAYS", ACCOUNT_DELETION_DAYS],
  ["HISTORY_DAYS", RECORD_DAYS],
] as const)("does by default what the pages promise, and nobody can set it to break that: %s", (name, days) => {
  expect(VARIABLES[name].default).toBe(String(days));
  expect(VARIABLES[name].schema.safeParse(String(days)).success).toBe(true);
  expect(VARIABLES[name].schema.safeParse(String(days + 1)).success).toBe(false);
});
