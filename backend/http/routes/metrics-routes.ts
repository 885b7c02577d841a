/** For operators alone: whoever does not bring their token is not told that there is anything to read. */
import { createHash, timingSafeEqual } from "node:crypto";
import Router from "koa-router";
import { UserError } from "../../../common/errors.ts";

export interface MetricsPage {
  readonly contentType: string;
  render(): Promise<string>;
}

/** @param token undefined: nobody reads them */
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

/** Takes as long for a near miss as for a far one. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
