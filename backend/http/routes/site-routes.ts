/** The routes about the site and the caller, and the health checks. */
import Router from "koa-router";
import type { DeviceInfo, PublicConfig, SampleLink } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import { formatHostEntry } from "../../../common/hosts.ts";
import type { Domain } from "../../domain/domain.ts";
import type { SiteReports } from "../../domain/sites/site-reports.ts";
import { createUsualSeconds } from "../../domain/jobs/usual-seconds.ts";
import type { PaymentPage } from "../edge/content-policy.ts";
import type { ViewerState } from "../middleware/identify.ts";

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
): Router<ViewerState> {
  const router = new Router<ViewerState>();
  const usualSeconds = createUsualSeconds(domain);

  router.get("/api/device-info", (ctx) => {
    const { deviceId, userId } = ctx.state.viewer;
    ctx.body = { deviceId, authenticated: userId !== null, userId } satisfies DeviceInfo;
  });

  router.get("/api/config", async (ctx) => {
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

  router.get("/api/site-status", (ctx) => {
    ctx.body = siteReports.status;
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
