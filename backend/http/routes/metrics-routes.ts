/** The metrics, for operators only. Without the token the answer is a 404, as for an unknown path. */
import { createHash, timingSafeEqual } from "node:crypto";
import { Router } from "koa-router";
import { UserError } from "../../../common/errors.ts";

export interface MetricsPage {
  readonly contentType: string;
  render(): Promise<string>;
}

/** @param token required as a bearer token; undefined: every call is a 404 */
export function metricsRoutes(page: MetricsPage, token: string | undefined): Router {
  const router = new Router();
  router.get("/metrics", async (ctx) => {
    if (token === undefined || !isSame(ctx.get("authorization"), `Bearer ${token}`)) throw new UserError("not_found");
    ctx.set("Cache-Control", "no-store");
    ctx.type = page.contentType;
    ctx.body = await page.render();
  });
  return router;
}

/** Compares in constant time, so that the time of the answer says nothing about the token. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
