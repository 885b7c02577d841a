/** Attempts to sign in are limited too; whoever is refused is navigating, so the answer is a page. */
import type { Middleware } from "koa";
import type { SignInError } from "../../../common/api.ts";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import type { ViewerState } from "./identify.ts";
import type { Limit } from "./limit.ts";

/** Stands before the route that begins a sign-in. */
export function limitSignIn(limit: Limit): Middleware<ViewerState> {
  const limited = limit("sign-in");
  return async (ctx, next) => {
    try {
      await limited(ctx, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      ctx.set("Retry-After", String(error.retryAfterSeconds));
      ctx.redirect(`/login?error=${"rate_limited" satisfies SignInError}`);
      return;
    }
    await next();
  };
}
