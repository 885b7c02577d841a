/** The built frontend: hashed assets for a year, the page itself always fresh, every other path the page. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Middleware } from "koa";
import sirv from "sirv";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export function servePage(distFolder: string): Middleware {
  const assets = existsSync(distFolder)
    ? sirv(distFolder, { etag: true, setHeaders: (response, path) => {
        response.setHeader("Cache-Control", path.startsWith("/assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache");
      } })
    : null;
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    if (ctx.path.startsWith("/api/") || ctx.path.startsWith("/socket.io/")) return next();
    const isPage = !/\.\w+$/.test(ctx.path);
    if (!isPage && assets) {
      const wasServed = await new Promise<boolean>((resolve) => {
        ctx.res.once("finish", () => resolve(true));
        ctx.res.once("close", () => resolve(true));
        ctx.res.statusCode = 200;
        assets(ctx.req, ctx.res, () => resolve(false));
      });
      if (wasServed) ctx.respond = false;
      else ctx.status = 404;
      return;
    }
    if (!isPage) return;
    ctx.type = "html";
    ctx.set("Cache-Control", "no-cache");
    ctx.body = await readFile(join(distFolder, "index.html"), "utf8");
  };
}
