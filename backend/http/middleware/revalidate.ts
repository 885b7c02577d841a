/**
 * Gives JSON answers an entity tag, the hash of their text, and answers 304 if the browser has the same text. Answers
 * that may not be stored stay as their route made them.
 */
import { createHash } from "node:crypto";
import type { Middleware } from "koa";

export function revalidate(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.method !== "GET" || ctx.status !== 200 || !isJsonValue(ctx.body)) return;
    if (/\bno-store\b/.test(ctx.response.get("Cache-Control"))) return;
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
 * Koa's `ctx.fresh` does not work here: browsers add `Cache-Control: no-cache` when a page sets `If-None-Match` itself
 * (Fetch standard, HTTP-network-or-cache fetch), and `fresh` takes this as a reload. The comparison is weak (RFC 9110,
 * section 13.1.2).
 */
export function isKnown(tag: string, ifNoneMatch: string): boolean {
  return ifNoneMatch.split(",").some((known) => known.trim().replace(/^W\//, "") === tag);
}

function isJsonValue(body: unknown): boolean {
  if (body === null || typeof body !== "object") return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}
