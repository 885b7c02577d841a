import type { Middleware } from "koa";
import { OpenByNetwork } from "../../domain/accounts/open-by-network.ts";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import type { ViewerState } from "./identify.ts";

/** When to ask again. A guess: a download may end at any moment. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the downloads that one network has open at the same time. A reader may be as slow as it likes, and each one
 * holds a connection and an open file.
 * @returns a middleware that throws RateLimitedError "network_busy"
 */
export function limitDownloads(perNetwork: number): Middleware<ViewerState> {
  const open = new OpenByNetwork(perNetwork);
  return async (ctx, next) => {
    if (!open.mayOpen(ctx.ip)) throw new RateLimitedError(undefined, RETRY_AFTER_SECONDS, { code: "network_busy" });
    const leave = open.add(ctx.ip);
    // The caller may have left during the checks before this one.
    if (ctx.res.closed) leave();
    else ctx.res.once("close", leave);
    await next();
  };
}
