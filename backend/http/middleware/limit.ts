/**
 * Rate limits: `limit("create")` before a route. Requests are counted in fixed windows of a minute, by device, by user
 * and by address, and messages to the operator in windows of an hour, by device and by network.
 */
import type { Middleware } from "koa";
import { RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { ViewerState } from "./identify.ts";
import type { OpenCounter } from "./limit-counters.ts";
import type { RateLimits } from "./rate-limits.ts";
import { networkOf, subnetOf } from "../../domain/accounts/network.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

export type LimitName = "create" | "sign-in" | "preview" | "file-link" | "feed" | "billing" | "account" | "contact";
/** @param cost the number of requests that a call counts as; default 1 */
export type Limit = (name: LimitName, cost?: (body: unknown) => number) => Middleware<ViewerState>;

const TOO_MANY: Readonly<Record<LimitName, string>> = {
  create: "Too many conversions in one minute.",
  "sign-in": "Too many attempts to sign in within one minute.",
  preview: "Too many links looked at in one minute.",
  "file-link": "Too many links to files made in one minute.",
  feed: "Too many requests for feeds in one minute.",
  billing: "Too many attempts to pay in one minute.",
  account: "Too many requests for the data of your account in one minute.",
  contact: "Too many messages in one hour.",
};

/** A counter and the key under which it counts a request. */
interface KeyedCounter {
  readonly counter: RateLimiterAbstract;
  readonly key: string;
}

/**
 * @returns a function that creates the middleware of one limit; the middleware throws RateLimitedError, which has the
 *   time to wait
 */
export function createLimit(limits: RateLimits, openCounter: OpenCounter): Limit {
  const open = (name: string, points: number) => openCounter(name, points, MINUTE_SECONDS);
  const byTier = (name: string, points: Readonly<Record<Tier, number>>) => ({
    free: open(`${name}-free`, points.free),
    pro: open(`${name}-pro`, points.pro),
  });
  const perDevice = byTier("create-device", limits.createPerDevice);
  const perUser = byTier("create-user", limits.createPerUser);
  const perAddress = byTier("create-address", limits.createPerAddress);
  const signIn = open("sign-in-address", limits.signInPerAddress);
  const previewPerDevice = open("preview-device", limits.previewPerDevice);
  const previewPerAddress = open("preview-address", limits.previewPerAddress);
  const fileLinkPerDevice = open("file-link-device", limits.fileLinkPerDevice);
  const fileLinkPerAddress = open("file-link-address", limits.fileLinkPerAddress);
  const feed = open("feed-address", limits.feedPerAddress);
  const billing = open("billing-user", limits.billingPerUser);
  const account = open("account-user", limits.accountPerUser);
  const contactPerDevice = openCounter("contact-device", limits.contactPerDevice, HOUR_SECONDS);
  const contactPerNetwork = openCounter("contact-network", limits.contactPerNetwork, HOUR_SECONDS);

  /** @returns the counters of a request, the narrowest first */
  function countersOf(name: LimitName, address: string, viewer: Viewer): KeyedCounter[] {
    const network = networkOf(address);
    // Nobody is identified before a feed is read.
    if (name === "feed") return [{ counter: feed, key: network }];
    const { userId, tier } = viewer;
    // More tokens do not give an account more requests.
    const deviceId = viewer.token && userId !== null ? userId : viewer.deviceId;
    if (name === "sign-in") return [{ counter: signIn, key: network }];
    if (name === "preview")
      return [
        { counter: previewPerDevice, key: deviceId },
        { counter: previewPerAddress, key: network },
      ];
    if (name === "file-link")
      return [
        { counter: fileLinkPerDevice, key: deviceId },
        { counter: fileLinkPerAddress, key: network },
      ];
    if (name === "contact")
      return [
        { counter: contactPerDevice, key: deviceId },
        { counter: contactPerNetwork, key: subnetOf(address) },
      ];
    // The route itself refuses visitors who are not signed in.
    if (name === "billing" || name === "account")
      return userId === null ? [] : [{ counter: name === "billing" ? billing : account, key: userId }];
    return [
      ...(userId === null ? [] : [{ counter: perUser[tier], key: userId }]),
      { counter: perDevice[tier], key: deviceId },
      { counter: perAddress[tier], key: network },
    ];
  }

  return (name, cost = () => 1) =>
    async (ctx, next) => {
      const points = cost(ctx.request.body);
      // A refused request is not counted further: one device must not use up the limit of its whole network.
      for (const { counter, key } of countersOf(name, ctx.ip, ctx.state.viewer))
        await consume(counter, key, points, TOO_MANY[name]);
      await next();
    };
}

async function consume(counter: RateLimiterAbstract, key: string, points: number, sentence: string): Promise<void> {
  try {
    // A call that costs more than the whole window would never be let through.
    await counter.consume(key, Math.min(points, counter.points));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new RateLimitedError(
      `${sentence} Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
      seconds,
      {
        reason: { name: "too_many_requests", retryAfterSeconds: seconds },
      },
    );
  }
}
