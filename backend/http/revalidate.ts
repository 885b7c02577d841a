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
    ctx.set("ETag", `W/"${createHash("sha1").update(text).digest("base64url")}"`);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  };
}

function isJsonValue(body: unknown): boolean {
  if (body === null || typeof body !== "object") return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}
