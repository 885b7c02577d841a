import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Subscription } from "../../../common/api.ts";
import {
  graceEndOf,
  nextChangeAt,
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

const stateWith = (more: Partial<SubscriptionState>): SubscriptionState => ({
  id: "sub_1",
  plan: "monthly",
  status: "active",
  periodEndsAt: days(20),
  endsAt: null,
  pastDueSince: null,
  isDisputed: false,
  ...more,
});

describe("tierOf", () => {
  it.each<[string, SubscriptionState | null, "free" | "pro"]>([
    ["none", null, "free"],
    ["active", stateWith({}), "pro"],
    ["on trial", stateWith({ status: "trialing" }), "pro"],
    ["renewed late, without a new status", stateWith({ periodEndsAt: days(-1) }), "pro"],
    ["canceled, before the end", stateWith({ endsAt: days(1) }), "pro"],
    ["canceled, at the end", stateWith({ endsAt: NOW }), "free"],
    ["on a canceled trial, after the end", stateWith({ status: "trialing", endsAt: days(-1) }), "free"],
    ["overdue since now", stateWith({ status: "past_due", pastDueSince: NOW }), "pro"],
    [
      "overdue for nearly three days",
      stateWith({ status: "past_due", pastDueSince: new Date(days(-3).getTime() + 1) }),
      "pro",
    ],
    ["overdue for three days", stateWith({ status: "past_due", pastDueSince: days(-3) }), "free"],
    ["overdue and canceled", stateWith({ status: "past_due", pastDueSince: days(-1), endsAt: days(-1) }), "free"],
    ["unpaid", stateWith({ status: "unpaid", pastDueSince: NOW }), "free"],
    ["paused", stateWith({ status: "paused" }), "free"],
    ["disputed", stateWith({ isDisputed: true }), "free"],
    ["before its first payment", stateWith({ status: "incomplete" }), "free"],
    ["never paid", stateWith({ status: "incomplete_expired" }), "free"],
    ["ended", stateWith({ status: "canceled" }), "free"],
  ])("of a subscription %s", (_name, subscription, tier) => {
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

it("never changes from free to Pro by time alone", () => {
  fc.assert(
    fc.property(state, date, fc.nat(100), (subscription, now, later) => {
      const after = new Date(now.getTime() + later * DAY_MS);
      expect([tierOf(subscription, now, GRACE_MS), tierOf(subscription, after, GRACE_MS)]).not.toEqual(["free", "pro"]);
    }),
  );
});

it("keeps the tier until nextChangeAt", () => {
  fc.assert(
    fc.property(
      state,
      date,
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (subscription, now, part) => {
        const change = nextChangeAt(subscription, now, GRACE_MS);
        expect(change?.getTime() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now.getTime());
        const until = change ?? days(1_000);
        const between = new Date(
          Math.min(until.getTime() - 1, now.getTime() + part * (until.getTime() - now.getTime())),
        );
        expect(tierOf(subscription, between, GRACE_MS)).toBe(tierOf(subscription, now, GRACE_MS));
      },
    ),
  );
});

it("presents every subscription that gives Pro in the wire format", () => {
  fc.assert(
    fc.property(state, date, (subscription, now) => {
      const shown = presentSubscription(subscription, now, GRACE_MS);
      expect(Subscription.nullable().parse(shown)).toEqual(shown);
      expect(shown !== null || tierOf(subscription, now, GRACE_MS) === "free").toBe(true);
    }),
  );
});

it("presents an overdue subscription with the end of its grace period, even after that end", () => {
  const overdue = stateWith({ status: "past_due", pastDueSince: days(-10) });
  expect(presentSubscription(overdue, NOW, GRACE_MS)).toMatchObject({
    status: "past_due",
    graceEndsAt: graceEndOf(overdue, GRACE_MS)?.toISOString(),
  });
});
