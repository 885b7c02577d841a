/** Recognises navigations that our own pages begin. */
import type { Context } from "koa";
import type { OriginCheck } from "./guards.ts";

/**
 * Whether a GET was begun by one of our pages or by the visitor, and not by a page of another site: a link there would
 * carry the visitor's cookies too (SameSite=Lax). Browsers say so in `Sec-Fetch-Site`, which no page can set; "none" is
 * the address bar or a bookmark. Of older browsers the referrer decides, which our pages always send. Programs send
 * neither; they navigate nowhere and ask for JSON.
 */
export function isOwnNavigation(ctx: Context, isOwnOrigin: OriginCheck): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  if (site !== "") return site === "same-origin" || site === "none";
  const referrer = ctx.get("Referer");
  if (referrer === "") return !wantsPage(ctx);
  return URL.canParse(referrer) && isOwnOrigin(new URL(referrer).origin, ctx.get("Host"));
}

/** Whether the caller is a browser that navigates, rather than a call for JSON. */
export function wantsPage(ctx: Context): boolean {
  return /\btext\/html\b/.test(ctx.get("Accept"));
}
