/** Serves the built frontend: assets with hashed names are cached for a year, pages are revalidated each time. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { send } from "@koa/send";
import type { Context, Middleware } from "koa";
import { VIEWER_META_NAME, type PageViewer } from "../../../common/api.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../../common/languages.ts";
import { isKnownPage, isPageAt, NOT_FOUND_PAGE, OPERATOR_PATH, pageFileName } from "../../../common/pages.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { ViewerState } from "../middleware/identify.ts";
import { negotiateLanguage, renewLanguageCookie } from "./page-language.ts";
import type { PageFiles } from "./page-files.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Serves files with an extension. Must come before `identify`: shared caches may store these answers, so they must not
 * set a device cookie. Looks for the file each time, because pages may be built again while the server runs.
 */
export function serveAssets(distFolder: string, pages: PageFiles): Middleware {
  return async (ctx, next) => {
    if (!isForPage(ctx) || isPagePath(ctx.path)) return next();
    const [, file] = /^\/([a-z][a-z-]*(?:\.[a-z]{2})?\.html)$/.exec(ctx.path) ?? [];
    if (file !== undefined && pages.has(file)) {
      ctx.type = "html";
      ctx.set("Cache-Control", "no-cache");
      // The service worker opens this page without a network, so it fetches it in the visitor's language.
      ctx.body = await pages.read(file === "page.html" ? emptyPage(pages, negotiateLanguage(ctx)) : file, "identity");
      return;
    }
    // Pages of signed-in users have no address of their own.
    if (ctx.path.endsWith(".html")) return void (ctx.status = 404);
    ctx.vary("Accept-Encoding");
    ctx.set(
      "Cache-Control",
      ctx.path.startsWith("/assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
    );
    try {
      await send(ctx, ctx.path, { root: distFolder });
      if (ctx.path.endsWith(".woff2")) allowOtherSites(ctx);
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

/** Lets the payment provider's form load our fonts, which has its own origin. */
function allowOtherSites(ctx: Context): void {
  ctx.set("Access-Control-Allow-Origin", "*");
  ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
}

/** Whether a file does not exist or its path leads out of the folder. */
function isMissing(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500;
}

/**
 * Serves pages, in the visitor's language: the page that was prerendered for the path, or for unknown paths, or else the
 * empty page, which renders in the browser. Signed-in users have prerendered pages of their own for each tier, so that
 * what depends on the plan is right from the first paint. Caches keep apart what the cookies decide: see
 * {@link negotiateLanguage}.
 */
export function servePage(pages: PageFiles): Middleware<ViewerState> {
  return async (ctx, next) => {
    if (!isForPage(ctx)) return next();
    if (!isPagePath(ctx.path)) return;
    const isOperatorPage = ctx.state.viewer.isOperator === true && isPageAt(OPERATOR_PATH, ctx.path);
    ctx.status = isKnownPage(ctx.path) || isOperatorPage ? 200 : 404;
    ctx.type = "html";
    ctx.set("Cache-Control", "private, no-cache");
    const language = negotiateLanguage(ctx);
    renewLanguageCookie(ctx);
    const { tier, userId } = ctx.state.viewer;
    const userTier = userId === null ? null : tier;
    // The operator's page is an unknown path to everybody else.
    const file = isOperatorPage ? undefined : pageFileFor(pages, ctx.path, language, userTier);
    if (file !== undefined) await sendCompressed(ctx, pages, file);
    else if (userTier === null) await sendCompressed(ctx, pages, emptyPage(pages, language));
    else {
      const page = await pages.read(emptyPage(pages, language), "identity");
      ctx.body = page && withViewer(page.toString("utf8"), { tier: userTier, authenticated: true });
    }
    if (ctx.status !== 200) return;
    revalidatePage(ctx);
  };
}

/** Gives a page an entity tag, and answers 304 if the browser has the same page. Each language has its own tag. */
function revalidatePage(ctx: Context): void {
  const { body } = ctx;
  if (typeof body !== "string" && !Buffer.isBuffer(body)) return;
  ctx.etag = createHash("sha1").update(body).digest("base64url");
  if (ctx.fresh) ctx.status = 304;
}

/** Sends a page in the best encoding that the browser accepts and the build has. */
async function sendCompressed(ctx: Context, pages: PageFiles, file: string): Promise<void> {
  ctx.vary("Accept-Encoding");
  for (const encoding of ["br", "gzip"] as const) {
    const body = ctx.acceptsEncodings(encoding, "identity") === encoding ? await pages.read(file, encoding) : null;
    if (body === null) continue;
    ctx.set("Content-Encoding", encoding);
    ctx.body = body;
    return;
  }
  ctx.body = await pages.read(file, "identity");
}

/** Replaces the anonymous viewer of a built page. The viewer has no free text, so it needs no escaping. */
function withViewer(html: string, viewer: PageViewer): string {
  return html.replace(
    new RegExp(`(<meta name="${VIEWER_META_NAME}" content=)'[^']*'`),
    (_, start: string) => `${start}'${JSON.stringify(viewer)}'`,
  );
}

/** @returns the prerendered page of a path; undefined if there is none. Only the path of a page can name a file. */
function pageFileFor(pages: PageFiles, path: string, language: Language, userTier: Tier | null): string | undefined {
  const [, name] = path === "/" ? [path, "index"] : (/^\/([a-z][a-z-]*)\/?$/.exec(path) ?? []);
  return findFile(pages, isKnownPage(path) ? name : NOT_FOUND_PAGE, language, userTier);
}

/** @returns the page that renders in the browser */
function emptyPage(pages: PageFiles, language: Language): string {
  return findFile(pages, "page", language) ?? pageFileName("index", DEFAULT_LANGUAGE);
}

/** @returns the built file of a page in the language, or else in English; undefined if there is none */
function findFile(
  pages: PageFiles,
  name: string | undefined,
  language: Language,
  userTier: Tier | null = null,
): string | undefined {
  if (name === undefined) return undefined;
  return [language, DEFAULT_LANGUAGE].map((code) => pageFileName(name, code, userTier)).find((file) => pages.has(file));
}

/**
 * @returns the hashes of all inline scripts of the pages as sources of a content security policy; one of these scripts
 *   sets the colour theme before the first paint
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

/** Whether a request is for a page or a file, not for the API or a socket. */
export function isForPage(ctx: Context): boolean {
  return (
    (ctx.method === "GET" || ctx.method === "HEAD") &&
    !ctx.path.startsWith("/api/") &&
    !ctx.path.startsWith("/socket.io/")
  );
}

/** Whether a path is of a page; a path with a file extension is of a file. */
export function isPagePath(path: string): boolean {
  return !/\.\w+$/.test(path);
}
