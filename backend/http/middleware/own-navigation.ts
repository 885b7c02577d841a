/** Recognises navigations that our own pages begin. */
import type { Context } from "koa";
import type { OriginCheck } from "./guards.ts";

/**
 * Whether a GET shows that one of our pages or the visitor began it, and not a page of another site: a link or a picture
 * there would carry the visitor's cookies too (SameSite=Lax). Browsers say so in `Sec-Fetch-Site`, which no page can
 * set; "none" is the address bar or a bookmark. For older browsers the origin or the referrer decides, which our pages
 * always send. A request that shows nothing is refused. Programs make their changes by POST.
 */
export function isOwnNavigation(ctx: Context, isOwnOrigin: OriginCheck): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  if (site !== "") return site === "same-origin" || site === "none";
  const page = ctx.get("Origin") || ctx.get("Referer");
  return URL.canParse(page) && isOwnOrigin(new URL(page).origin, ctx.get("Host"));
}

/** Whether the caller is a browser that navigates, rather than a call for JSON. */
export function wantsPage(ctx: Context): boolean {
  return /\btext\/html\b/.test(ctx.get("Accept"));
}
