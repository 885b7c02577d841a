/**
 * The built frontend: hashed assets for a year, pages always fresh, every other path a page, as a 404 where
 * there is none.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { send } from "@koa/send";
import type { Context, Middleware } from "koa";
import { VIEWER_META_NAME, type PageViewer } from "../../../common/api.ts";
import { isKnownPage } from "../../../common/pages.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { PageFiles } from "./page-files.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Comes before anybody is identified: an answer that shared caches may keep must not hand out a device.
 * Each file is looked for anew, so that the pages can be built again under a running server.
 */
export function serveAssets(distFolder: string, pages: PageFiles): Middleware {
  return async (ctx, next) => {
    if (!isForPage(ctx) || isPagePath(ctx.path)) return next();
    const [, page] = /^\/([a-z][a-z-]*\.html)$/.exec(ctx.path) ?? [];
    if (page !== undefined && pages.has(page)) {
      ctx.type = "html";
      ctx.set("Cache-Control", "no-cache");
      ctx.body = await pages.read(page, "identity");
      return;
    }
    ctx.vary("Accept-Encoding");
    ctx.set(
      "Cache-Control",
      ctx.path.startsWith("/assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
    );
    try {
      await send(ctx, ctx.path, { root: distFolder });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (ctx.body === undefined) {
      ctx.remove("Cache-Control");
      ctx.remove("Content-Encoding");
      ctx.status = 404;
    } else if (ctx.fresh) ctx.status = 304;
  };
}

/** Not there, or a path that leads out of the folder. */
function isMissing(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500;
}

/**
 * A page drawn at build time where there is one for the path, else the empty one, which draws itself.
 * Those are for visitors whom nobody knows. For somebody who is signed in the empty page says so: what depends
 * on the plan then stands right from the first paint instead of changing under the visitor's eyes.
 */
export function servePage(pages: PageFiles): Middleware<ViewerState> {
  return async (ctx, next) => {
    if (!isForPage(ctx)) return next();
    if (!isPagePath(ctx.path)) return;
    // The page shows its own words for a place that is not there; this tells everybody who cannot read them.
    ctx.status = isKnownPage(ctx.path) ? 200 : 404;
    ctx.type = "html";
    ctx.set("Cache-Control", "private, no-cache");
    const { tier, userId } = ctx.state.viewer;
    if (userId !== null) {
      const page = await pages.read(fileOf(pages, ""), "identity");
      ctx.body = page && nameViewer(page.toString("utf8"), { tier, authenticated: true });
      return;
    }
    const file = fileOf(pages, ctx.path);
    ctx.vary("Accept-Encoding");
    for (const encoding of ["br", "gzip"] as const) {
      const packed = ctx.acceptsEncodings(encoding, "identity") === encoding ? await pages.read(file, encoding) : null;
      if (packed === null) continue;
      ctx.set("Content-Encoding", encoding);
      ctx.body = packed;
      return;
    }
    ctx.body = await pages.read(file, "identity");
  };
}

/**
 * Built pages name the visitor whom nobody knows. Nothing in the viewer is anybody's own text, so the quotes around it
 * hold.
 */
function nameViewer(html: string, viewer: PageViewer): string {
  return html.replace(
    new RegExp(`(<meta name="${VIEWER_META_NAME}" content=)'[^']*'`),
    (_, start: string) => `${start}'${JSON.stringify(viewer)}'`,
  );
}

/** Only names of one plain word can be files: nothing else is looked for on the disk. */
function fileOf(pages: PageFiles, path: string): string {
  if (path === "/") return "index.html";
  const [, name] = /^\/([a-z][a-z-]*)\/?$/.exec(path) ?? [];
  const drawn = name === undefined || name === "index" || name === "page" ? undefined : `${name}.html`;
  if (drawn !== undefined && pages.has(drawn)) return drawn;
  return pages.has("page.html") ? "page.html" : "index.html";
}

/**
 * Content security policy sources for the few lines of script that stand in the pages themselves,
 * such as the one that sets the chosen colours before anything is painted.
 */
export function inlineScriptSources(distFolder: string): string[] {
  if (!existsSync(distFolder)) return [];
  const pages = readdirSync(distFolder).filter((name) => name.endsWith(".html"));
  const scripts = pages.flatMap((name) =>
    [...readFileSync(join(distFolder, name), "utf8").matchAll(/<script>([^]*?)<\/script>/g)].map(
      ([, script = ""]) => script,
    ),
  );
  return [...new Set(scripts)].map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
}

/** Whether a file or a page is asked for rather than a call or a socket. */
export function isForPage(ctx: Context): boolean {
  return (
    (ctx.method === "GET" || ctx.method === "HEAD") &&
    !ctx.path.startsWith("/api/") &&
    !ctx.path.startsWith("/socket.io/")
  );
}

/** What ends like a file is one; everything else is a place within the page. */
export function isPagePath(path: string): boolean {
  return !/\.\w+$/.test(path);
}
