import { expect, it } from "vitest";
import type { Notice } from "../stores/notice.ts";
import { createUserStore } from "../stores/user.ts";
import { readPaymentOutcome, handlePaymentReturn, withoutPaymentParameters } from "./returned-payment.ts";

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
  expect(readPaymentOutcome(new URLSearchParams(query))).toBe(outcome);
});

it("removes all provider parameters from the query", () => {
  const query =
    "a=1&payment_intent=x&payment_intent_client_secret=x&setup_intent=x&setup_intent_client_secret=x" +
    "&redirect_status=failed";
  expect(withoutPaymentParameters(new URLSearchParams(query)).toString()).toBe("a=1");
});

function arrive(query: string) {
  const user = createUserStore();
  const notices: Notice[] = [];
  const seen: string[] = [];
  let waits = 0;
  handlePaymentReturn({
    window: {
      location: { href: `https://example.org/${query}` },
      history: { state: null, replaceState: (_state: unknown, _title: string, url: URL) => seen.push(url.href) },
    } as unknown as Window,
    user,
    notify: (notice) => notices.push(notice),
    awaitPro: () => void (waits += 1),
  });
  return { user, notices, seen, waits: () => waits };
}

it("does not change a URL without payment parameters", () => {
  expect(arrive("?plan=yearly").seen).toEqual([]);
});

it("waits for Pro without a toast after a confirmed payment", () => {
  const { seen, notices, waits } = arrive("?payment_intent=pi_1&redirect_status=succeeded");
  expect(seen).toEqual(["https://example.org/"]);
  expect(waits()).toBe(1);
  expect(notices).toEqual([]);
});

it("reports a failed payment once the user is loaded, and only to signed-in users", () => {
  const { user, notices, waits } = arrive("?payment_intent=pi_1&redirect_status=failed");
  expect(notices).toEqual([]);
  const usage = { month: "2026-11", totalConversions: 0, totalDataUsed: 0 };
  const ada = { id: "1", email: "ada@example.org", tier: "free", usage, subscription: null } as const;
  user.getState().receiveUser(ada);
  user.getState().receiveUser(ada);
  expect(notices).toMatchObject([{ title: "Payment Failed" }]);
  expect(waits()).toBe(0);

  const visitor = arrive("?payment_intent=pi_1&redirect_status=failed");
  visitor.user.getState().receiveUser(null);
  expect(visitor.notices).toEqual([]);
});
