/** The rate limit of sign-ins. The browser is navigating, so a refusal is a redirect to the sign-in page. */
import type { Middleware } from "koa";
import type { SignInError } from "../../../common/account-calls.ts";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import type { ViewerState } from "./identify.ts";
import type { Limit } from "./limit.ts";

export function limitSignIn(limit: Limit): Middleware<ViewerState> {
  const check = limit("sign-in");
  return async (ctx, next) => {
    try {
      await check(ctx, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      ctx.set("Retry-After", String(error.retryAfterSeconds));
      ctx.redirect(`/login?error=${"rate_limited" satisfies SignInError}`);
      return;
    }
    await next();
  };
}
