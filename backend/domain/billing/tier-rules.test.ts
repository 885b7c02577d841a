import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Subscription } from "../../../common/api.ts";
import {
  graceEndOf,
  nextTurn,
  presentSubscription,
  tierOf,
  type ProviderStatus,
  type SubscriptionState,
} from "./tier-rules.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const GRACE_MS = 3 * DAY_MS;
const NOW = new Date("2026-03-10T12:00:00Z");
const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS);
const STATUSES: readonly ProviderStatus[] = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
];

const some = (more: Partial<SubscriptionState>): SubscriptionState => ({
  id: "sub_1",
  plan: "monthly",
  status: "active",
  periodEndsAt: days(20),
  endsAt: null,
  pastDueSince: null,
  isDisputed: false,
  ...more,
});

describe("what a subscription is worth", () => {
  it.each<[string, SubscriptionState | null, "free" | "pro"]>([
    ["none", null, "free"],
    ["active", some({}), "pro"],
    ["on trial", some({ status: "trialing" }), "pro"],
    ["renewed late: the provider has not said otherwise", some({ periodEndsAt: days(-1) }), "pro"],
    ["cancelled, before the period's end", some({ endsAt: days(1) }), "pro"],
    ["cancelled, at the period's end", some({ endsAt: NOW }), "free"],
    ["a trial cancelled, after its end", some({ status: "trialing", endsAt: days(-1) }), "free"],
    ["overdue since just now", some({ status: "past_due", pastDueSince: NOW }), "pro"],
    [
      "overdue for nearly three days",
      some({ status: "past_due", pastDueSince: new Date(days(-3).getTime() + 1) }),
      "pro",
    ],
    ["overdue for three days", some({ status: "past_due", pastDueSince: days(-3) }), "free"],
    ["overdue and cancelled", some({ status: "past_due", pastDueSince: days(-1), endsAt: days(-1) }), "free"],
    ["unpaid", some({ status: "unpaid", pastDueSince: NOW }), "free"],
    ["paused", some({ status: "paused" }), "free"],
    ["disputed", some({ isDisputed: true }), "free"],
    ["waiting for its first payment", some({ status: "incomplete" }), "free"],
    ["never paid", some({ status: "incomplete_expired" }), "free"],
    ["ended", some({ status: "canceled" }), "free"],
  ])("%s", (_name, subscription, tier) => {
    expect(tierOf(subscription, NOW, GRACE_MS)).toBe(tier);
  });
});

const date = fc.integer({ min: -60, max: 60 }).map(days);
const state = fc.record({
  id: fc.constant("sub_1"),
  plan: fc.constantFrom("monthly" as const, "yearly" as const),
  status: fc.constantFrom(...STATUSES),
  periodEndsAt: date,
  endsAt: fc.option(date),
  pastDueSince: fc.option(date),
  isDisputed: fc.boolean(),
});

it("time alone takes Pro away, and never gives it", () => {
  fc.assert(
    fc.property(state, date, fc.nat(100), (subscription, now, later) => {
      const after = new Date(now.getTime() + later * DAY_MS);
      expect([tierOf(subscription, now, GRACE_MS), tierOf(subscription, after, GRACE_MS)]).not.toEqual(["free", "pro"]);
    }),
  );
});

it("between now and the next turn nothing changes by itself", () => {
  fc.assert(
    fc.property(
      state,
      date,
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (subscription, now, part) => {
        const turn = nextTurn(subscription, now, GRACE_MS);
        expect(turn?.getTime() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now.getTime());
        const until = turn ?? days(1_000);
        const between = new Date(
          Math.min(until.getTime() - 1, now.getTime() + part * (until.getTime() - now.getTime())),
        );
        expect(tierOf(subscription, between, GRACE_MS)).toBe(tierOf(subscription, now, GRACE_MS));
      },
    ),
  );
});

it("whatever is shown has the wire's shape, and is there whenever it is worth Pro", () => {
  fc.assert(
    fc.property(state, date, (subscription, now) => {
      const shown = presentSubscription(subscription, now, GRACE_MS);
      expect(Subscription.nullable().parse(shown)).toEqual(shown);
      expect(shown !== null || tierOf(subscription, now, GRACE_MS) === "free").toBe(true);
    }),
  );
});

it("an overdue payment is shown until it is made or given up, with the end of its grace", () => {
  const overdue = some({ status: "past_due", pastDueSince: days(-10) });
  expect(presentSubscription(overdue, NOW, GRACE_MS)).toMatchObject({
    status: "past_due",
    graceEndsAt: graceEndOf(overdue, GRACE_MS)?.toISOString(),
  });
});
