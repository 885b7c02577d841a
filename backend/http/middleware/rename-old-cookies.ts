import type { Middleware } from "koa";
import type { OldCookies } from "../../domain/accounts/old-cookies.ts";

/** Gives old cookies their new names, in this request and in the browser. Must come before whatever reads cookies. */
export function renameOldCookies(old: OldCookies): Middleware {
  return async (ctx, next) => {
    const { cookie } = ctx.req.headers;
    const renewed = old.renew(cookie);
    if (renewed.length > 0) {
      ctx.req.headers.cookie = old.translate(cookie);
      ctx.append("Set-Cookie", renewed);
    }
    await next();
  };
}
