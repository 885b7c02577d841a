/** The built frontend: hashed assets for a year, the page itself always fresh, every other path the page, as a 404 where there is none. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context, Middleware } from "koa";
import sirv from "sirv";
import { VIEWER_META_NAME, type PageViewer } from "../../common/api.ts";
import { isKnownPage } from "../../common/pages.ts";
import type { ViewerState } from "./identify.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Comes before anybody is identified: an answer that shared caches may keep must not hand out a device. */
export function serveAssets(distFolder: string): Middleware {
  const assets = existsSync(distFolder)
    ? sirv(distFolder, { etag: true, setHeaders: (response, path) => {
        response.setHeader("Cache-Control", path.startsWith("/assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache");
      } })
    : null;
  return async (ctx, next) => {
    if (!isForPage(ctx) || isPagePath(ctx.path) || !assets) return next();
    const wasServed = await new Promise<boolean>((resolve) => {
      ctx.res.once("finish", () => resolve(true));
      ctx.res.once("close", () => resolve(true));
      ctx.res.statusCode = 200;
      assets(ctx.req, ctx.res, () => resolve(false));
    });
    if (wasServed) ctx.respond = false;
    else ctx.status = 404;
  };
}

/**
 * The page, with a word on who is looking at it: what depends on the plan stands right from the first
 * paint instead of changing under the visitor's eyes.
 */
export function servePage(distFolder: string): Middleware<ViewerState> {
  return async (ctx, next) => {
    if (!isForPage(ctx)) return next();
    if (!isPagePath(ctx.path)) return;
    // The page shows its own words for a place that is not there; this tells everybody who cannot read them.
    ctx.status = isKnownPage(ctx.path) ? 200 : 404;
    ctx.type = "html";
    ctx.set("Cache-Control", "private, no-cache");
    const { tier, userId } = ctx.state.viewer;
    ctx.body = nameViewer(await readFile(join(distFolder, "index.html"), "utf8"), { tier, authenticated: userId !== null });
  };
}

/** Nothing in the viewer is anybody's own text, so the quotes around it hold. */
function nameViewer(html: string, viewer: PageViewer): string {
  return html.replace("</title>", `</title><meta name="${VIEWER_META_NAME}" content='${JSON.stringify(viewer)}'>`);
}

function isForPage(ctx: Context): boolean {
  return (ctx.method === "GET" || ctx.method === "HEAD") && !ctx.path.startsWith("/api/") && !ctx.path.startsWith("/socket.io/");
}

/** What ends like a file is one; everything else is a place within the page. */
function isPagePath(path: string): boolean {
  return !/\.\w+$/.test(path);
}
