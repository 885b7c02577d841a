/** An unchanged answer costs a 304: JSON answers carry an entity tag made of their text. */
import { createHash } from "node:crypto";
import type { Middleware } from "koa";

export function revalidate(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.method !== "GET" || ctx.status !== 200 || !isJsonValue(ctx.body)) return;
    const text = JSON.stringify(ctx.body);
    ctx.type = "json";
    ctx.set("Cache-Control", "private, no-cache");
    const tag = `"${createHash("sha1").update(text).digest("base64url")}"`;
    ctx.set("ETag", `W/${tag}`);
    if (isKnown(tag, ctx.get("If-None-Match"))) ctx.status = 304;
    else ctx.body = text;
  };
}

/**
 * Not Koa's own `fresh`: a page that names a tag itself is made to say `Cache-Control: no-cache` by
 * its browser (Fetch standard, HTTP-network-or-cache fetch), which `fresh` takes for a reload. The
 * comparison is the weak one (RFC 9110, section 13.1.2).
 */
function isKnown(tag: string, ifNoneMatch: string): boolean {
  return ifNoneMatch.split(",").some((known) => known.trim().replace(/^W\//, "") === tag);
}

function isJsonValue(body: unknown): boolean {
  if (body === null || typeof body !== "object") return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}
