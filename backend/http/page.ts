/**
 * The built frontend: hashed assets for a year, pages always fresh, every other path a page, as a 404 where
 * there is none.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { send } from "@koa/send";
import type { Context, Middleware } from "koa";
import { VIEWER_META_NAME, type PageViewer } from "../../common/api.ts";
import { isKnownPage } from "../../common/pages.ts";
import type { ViewerState } from "./identify.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Comes before anybody is identified: an answer that shared caches may keep must not hand out a device.
 * Each file is looked for anew, so that the pages can be built again under a running server.
 */
export function serveAssets(distFolder: string): Middleware {
  return async (ctx, next) => {
    if (!isForPage(ctx) || isPagePath(ctx.path)) return next();
    ctx.vary("Accept-Encoding");
    ctx.set("Cache-Control", ctx.path.startsWith("/assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache");
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

/** How a page was compressed when it was built, best first. */
const ENCODINGS = { br: ".br", gzip: ".gz", identity: "" } as const;

/**
 * A page drawn at build time where there is one for the path, else the empty one, which draws itself.
 * Those are for visitors whom nobody knows. For somebody who is signed in the empty page says so: what depends
 * on the plan then stands right from the first paint instead of changing under the visitor's eyes.
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
    if (userId !== null) {
      const page = await readFile(join(distFolder, fileOf(distFolder, "")), "utf8");
      ctx.body = nameViewer(page, { tier, authenticated: true });
      return;
    }
    const file = join(distFolder, fileOf(distFolder, ctx.path));
    ctx.vary("Accept-Encoding");
    for (const encoding of ["br", "gzip"] as const) {
      if (ctx.acceptsEncodings(encoding, "identity") !== encoding || !existsSync(file + ENCODINGS[encoding])) continue;
      ctx.set("Content-Encoding", encoding);
      ctx.body = await readFile(file + ENCODINGS[encoding]);
      return;
    }
    ctx.body = await readFile(file, "utf8");
  };
}

/** Built pages name the visitor whom nobody knows. Nothing in the viewer is anybody's own text, so the quotes around it hold. */
function nameViewer(html: string, viewer: PageViewer): string {
  return html.replace(new RegExp(`(<meta name="${VIEWER_META_NAME}" content=)'[^']*'`), (_, start: string) => `${start}'${JSON.stringify(viewer)}'`);
}

/** Only names of one plain word can be files: nothing else is looked for on the disk. */
function fileOf(distFolder: string, path: string): string {
  if (path === "/") return "index.html";
  const [, name] = /^\/([a-z][a-z-]*)\/?$/.exec(path) ?? [];
  const drawn = name === undefined || name === "index" || name === "page" ? undefined : `${name}.html`;
  if (drawn !== undefined && existsSync(join(distFolder, drawn))) return drawn;
  return existsSync(join(distFolder, "page.html")) ? "page.html" : "index.html";
}

/**
 * Content security policy sources for the few lines of script that stand in the pages themselves,
 * such as the one that sets the chosen colours before anything is painted.
 */
export function inlineScriptSources(distFolder: string): string[] {
  if (!existsSync(distFolder)) return [];
  const pages = readdirSync(distFolder).filter((name) => name.endsWith(".html"));
  const scripts = pages.flatMap((name) => [...readFileSync(join(distFolder, name), "utf8").matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = ""]) => script));
  return [...new Set(scripts)].map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
}

function isForPage(ctx: Context): boolean {
  return (ctx.method === "GET" || ctx.method === "HEAD") && !ctx.path.startsWith("/api/") && !ctx.path.startsWith("/socket.io/");
}

/** What ends like a file is one; everything else is a place within the page. */
function isPagePath(path: string): boolean {
  return !/\.\w+$/.test(path);
}
