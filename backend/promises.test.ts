import { expect, it } from "vitest";
import { ACCOUNT_DELETION_DAYS, USAGE_LOG_DAYS } from "../common/promises.ts";
import { VARIABLES } from "./config-variables.ts";

it("does by default what the pages promise", () => {
  expect(VARIABLES.USAGE_LOG_DAYS.default).toBe(String(USAGE_LOG_DAYS));
  expect(VARIABLES.ACCOUNT_PURGE_DAYS.default).toBe(String(ACCOUNT_DELETION_DAYS));
});
