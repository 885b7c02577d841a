/** The routes about the site and the caller, and the health checks. */
import { Router } from "koa-router";
import { z } from "zod";
import { DeviceInfo, PublicConfig, type SampleLink } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import { formatHostEntry } from "../../../common/hosts.ts";
import { SiteFailure } from "../../../common/site-status.ts";
import { Speed } from "../../../common/speed.ts";
import type { Domain } from "../../domain/domain.ts";
import type { SiteReports } from "../../domain/sites/site-reports.ts";
import { createSpeed } from "../../domain/jobs/speed.ts";
import { createUsualSeconds } from "../../domain/jobs/usual-seconds.ts";
import type { PaymentPage } from "../every-request/content-policy.ts";
import type { Call } from "../api-description/call.ts";
import { CallRouter } from "../middleware/call-router.ts";

const EXAMPLE: PublicConfig = {
  videoHosts: ["youtube.com", "youtu.be"],
  looksUpSponsored: true,
  tier: "free",
  signInAvailable: true,
  paymentAvailable: true,
  stripePublishableKey: "pk_live_example",
  stripeScriptUrl: null,
  sampleLinks: [],
  usualSeconds: 6.4,
};

const EXAMPLE_SPEED: Speed = {
  all: { conversions: 1240, medianSeconds: 6.4, p90Seconds: 14.8 },
  shares: { wait: 6, site: 31, line: 52, ours: 11 },
  promise: { conversions: 1204, medianErrorPercent: 9, keptPercent: 86 },
  days: [{ day: "2026-06-01", conversions: 180, medianSeconds: 6.1, p90Seconds: 13.9 }],
};

export const SITE_CALLS = {
  config: {
    route: "GET /api/config",
    group: "This site",
    summary: "What this site accepts and offers",
    tokens: "any",
    answers: { 200: { description: "The settings", name: "PublicConfig", schema: PublicConfig, example: EXAMPLE } },
  },
  device: {
    route: "GET /api/device-info",
    group: "This site",
    summary: "Who the caller is",
    description: "The first call sets the cookie that names the device.",
    answers: {
      200: {
        description: "The device",
        name: "DeviceInfo",
        schema: DeviceInfo,
        example: { deviceId: "1c9d7a10-52a1-4f0e-8d43-9a5f2b7c6e01", authenticated: false, userId: null },
      },
    },
  },
  status: {
    route: "GET /api/site-status",
    group: "This site",
    summary: "Which video sites fail for most visitors",
    tokens: "any",
    answers: {
      200: {
        description: "The failing sites",
        name: "SiteStatus",
        schema: z.object({ failing: z.array(SiteFailure) }),
        example: { failing: [{ site: "youtube", reason: "refusing" }] },
      },
    },
  },
  speed: {
    route: "GET /api/speed",
    group: "This site",
    summary: "How long conversions took in the last seven days",
    description: "Measured at most every ten minutes. Files that were there already are not counted.",
    tokens: "any",
    answers: {
      200: { description: "The times", name: "Speed", schema: Speed, example: EXAMPLE_SPEED },
    },
  },
} satisfies Record<string, Call>;

export interface Health {
  /** False while starting, stopping or without the database. */
  isReady(): Promise<boolean>;
}

export interface SiteRouteSettings {
  readonly sampleLinks: readonly SampleLink[];
  readonly signInAvailable: boolean;
  /** Whether there is a SponsorBlock server. */
  readonly looksUpSponsored: boolean;
  /** Null if payment is not set up. */
  readonly paymentPage: PaymentPage | null;
  readonly siteReports: Pick<SiteReports, "status">;
}

export function siteRoutes(
  domain: Domain,
  { sampleLinks, signInAvailable, looksUpSponsored, paymentPage, siteReports }: SiteRouteSettings,
): CallRouter {
  const router = new CallRouter();
  const usualSeconds = createUsualSeconds(domain);
  const speed = createSpeed(domain);

  router.on(SITE_CALLS.device, (ctx) => {
    const { deviceId, userId } = ctx.state.viewer;
    ctx.body = { deviceId, authenticated: userId !== null, userId } satisfies DeviceInfo;
  });

  router.on(SITE_CALLS.config, async (ctx) => {
    ctx.body = {
      videoHosts: domain.videoHosts.map(formatHostEntry),
      looksUpSponsored,
      tier: ctx.state.viewer.tier,
      signInAvailable,
      paymentAvailable: paymentPage !== null,
      stripePublishableKey: paymentPage?.publishableKey ?? null,
      stripeScriptUrl: paymentPage?.scriptUrl ?? null,
      sampleLinks: [...sampleLinks],
      usualSeconds: await usualSeconds(),
    } satisfies PublicConfig;
  });

  router.on(SITE_CALLS.status, (ctx) => {
    ctx.body = siteReports.status;
  });

  router.on(SITE_CALLS.speed, async (ctx) => {
    ctx.body = await speed();
  });

  return router;
}

/** Health checks for load balancers and operators. They set no cookie. */
export function healthRoutes(health: Health): Router {
  const router = new Router();
  router.get("/healthz", (ctx) => {
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", async (ctx) => {
    if (!(await health.isReady())) throw new UserError("unavailable_now");
    ctx.body = { status: "ready" };
  });
  return router;
}
