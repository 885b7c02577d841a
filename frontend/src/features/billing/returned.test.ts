import { expect, it } from "vitest";
import { readReturn, withoutReturn } from "./returned.ts";

it.each([
  ["", null],
  ["redirect_status=succeeded", null],
  ["payment_intent=pi_1", null],
  ["payment_intent=pi_1&redirect_status=succeeded", "confirmed"],
  ["setup_intent=seti_1&redirect_status=succeeded", "confirmed"],
  ["payment_intent=pi_1&redirect_status=processing", "confirmed"],
  ["payment_intent=pi_1&redirect_status=failed", "failed"],
  ["payment_intent=pi_1&redirect_status=requires_payment_method", "failed"],
])("%s means %s", (query, outcome) => {
  expect(readReturn(new URLSearchParams(query))).toBe(outcome);
});

it("leaves nothing of the provider's in the address", () => {
  const query = "a=1&payment_intent=x&payment_intent_client_secret=x&setup_intent=x&setup_intent_client_secret=x&redirect_status=failed";
  expect(withoutReturn(new URLSearchParams(query)).toString()).toBe("a=1");
});
