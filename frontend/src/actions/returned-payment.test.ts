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
])("reads the outcome of the query %s as %s", (query, outcome) => {
  expect(readPaymentOutcome(new URLSearchParams(query))).toBe(outcome);
});

it("removes all provider parameters from the query", () => {
  const query =
    "a=1&payment_intent=x&payment_intent_client_secret=x&setup_intent=x&setup_intent_client_secret=x" +
    "&redirect_status=failed";
  expect(withoutPaymentParameters(new URLSearchParams(query)).toString()).toBe("a=1");
});

function returnToPage(query: string) {
  const user = createUserStore();
  const notices: Notice[] = [];
  const newUrls: string[] = [];
  let waitCount = 0;
  handlePaymentReturn({
    window: {
      location: { href: `https://example.org/${query}` },
      history: { state: null, replaceState: (_state: unknown, _title: string, url: URL) => newUrls.push(url.href) },
    } as unknown as Window,
    user,
    notify: (notice) => notices.push(notice),
    awaitPro: () => void (waitCount += 1),
  });
  return { user, notices, newUrls, waitCount: () => waitCount };
}

it("does not change a URL without payment parameters", () => {
  expect(returnToPage("?plan=yearly").newUrls).toEqual([]);
});

it("waits for Pro without a toast after a confirmed payment", () => {
  const { newUrls, notices, waitCount } = returnToPage("?payment_intent=pi_1&redirect_status=succeeded");
  expect(newUrls).toEqual(["https://example.org/"]);
  expect(waitCount()).toBe(1);
  expect(notices).toEqual([]);
});

it("reports a failed payment once the user is loaded, and only to signed-in users", () => {
  const { user, notices, waitCount } = returnToPage("?payment_intent=pi_1&redirect_status=failed");
  expect(notices).toEqual([]);
  const usage = { month: "2026-11", totalConversions: 0, totalDataUsed: 0 };
  const ada = { id: "1", email: "ada@example.org", tier: "free", usage, subscription: null } as const;
  user.getState().receiveUser(ada);
  user.getState().receiveUser(ada);
  expect(notices).toMatchObject([{ title: "Payment Failed" }]);
  expect(waitCount()).toBe(0);

  const visitor = returnToPage("?payment_intent=pi_1&redirect_status=failed");
  visitor.user.getState().receiveUser(null);
  expect(visitor.notices).toEqual([]);
});
