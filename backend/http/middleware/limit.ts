/**
 * How often anybody may ask: `limit("create")` before a route. Counted in fixed windows of a minute,
 * by device, by user and by address; where the counts are kept is the caller's choice.
 */
import type { Middleware } from "koa";
import { RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { ViewerState } from "./identify.ts";
import type { OpenCounter } from "./limit-counters.ts";
import { networkOf } from "./network.ts";

const WINDOW_SECONDS = 60;

/** Most per minute. */
export interface RateLimits {
  readonly createPerDevice: Readonly<Record<Tier, number>>;
  readonly createPerUser: Readonly<Record<Tier, number>>;
  readonly createPerAddress: Readonly<Record<Tier, number>>;
  readonly signInPerAddress: number;
  readonly previewPerDevice: number;
  readonly previewPerAddress: number;
  readonly billingPerUser: number;
}

export type LimitName = "create" | "sign-in" | "preview" | "billing";
/** @param cost how many a call counts as; one unless said */
export type Limit = (name: LimitName, cost?: (body: unknown) => number) => Middleware<ViewerState>;

const TOO_MANY: Readonly<Record<LimitName, string>> = {
  create: "Too many conversions in one minute.",
  "sign-in": "Too many attempts to sign in within one minute.",
  preview: "Too many links looked at in one minute.",
  billing: "Too many attempts to pay in one minute.",
};

/** Makes the limits of one server. The middleware throws RateLimitedError, which says when to come back. */
export function createLimit(limits: RateLimits, openCounter: OpenCounter): Limit {
  const limiter = (name: string, points: number) => openCounter(name, points, WINDOW_SECONDS);
  const byTier = (name: string, points: Readonly<Record<Tier, number>>) => ({
    free: limiter(`${name}-free`, points.free),
    pro: limiter(`${name}-pro`, points.pro),
  });
  const perDevice = byTier("create-device", limits.createPerDevice);
  const perUser = byTier("create-user", limits.createPerUser);
  const perAddress = byTier("create-address", limits.createPerAddress);
  const signIn = limiter("sign-in-address", limits.signInPerAddress);
  const previewPerDevice = limiter("preview-device", limits.previewPerDevice);
  const previewPerAddress = limiter("preview-address", limits.previewPerAddress);
  const billing = limiter("billing-user", limits.billingPerUser);

  function applying(
    name: LimitName,
    network: string,
    { deviceId, userId, tier }: Viewer,
  ): [RateLimiterAbstract, string][] {
    if (name === "sign-in") return [[signIn, network]];
    if (name === "preview")
      return [
        [previewPerDevice, deviceId],
        [previewPerAddress, network],
      ];
    // Whoever is not signed in is refused anyway.
    if (name === "billing") return userId === null ? [] : [[billing, userId]];
    return [
      ...(userId === null ? [] : [[perUser[tier], userId] satisfies [RateLimiterAbstract, string]]),
      [perDevice[tier], deviceId],
      [perAddress[tier], network],
    ];
  }

  return (name, cost = () => 1) =>
    async (ctx, next) => {
      const points = cost(ctx.request.body);
      // The narrowest first, and no further: what one device wastes is not its neighbours'.
      for (const [limiter, key] of applying(name, networkOf(ctx.ip), ctx.state.viewer))
        await consume(limiter, key, points, TOO_MANY[name]);
      await next();
    };
}

async function consume(limiter: RateLimiterAbstract, key: string, points: number, sentence: string): Promise<void> {
  try {
    await limiter.consume(key, points);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new RateLimitedError(`${sentence} Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`, seconds);
  }
}
