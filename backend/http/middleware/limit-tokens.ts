/** Lets a token make only the calls for which it has the scope. */
import type { Middleware } from "koa";
import { UserError } from "../../../common/errors.ts";
import type { TokenScope } from "../../../common/token-calls.ts";
import { DESCRIBED_CALLS } from "../api-description/described-calls.ts";
import type { ViewerState } from "./identify.ts";

/** What all tokens may do, or those with a scope. */
const OPEN_TO_TOKENS = Object.entries(DESCRIBED_CALLS).flatMap(([route, { tokens }]) => {
  const [method, path = ""] = route.split(" ");
  return tokens === undefined ? [] : [{ method, pattern: patternOf(path), tokens }];
});

/** @param path such as "/api/conversions/:id" @returns a pattern that accepts at least what the router accepts */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`, "i");
}

/** @returns the scope that a call needs; null if no token may make it */
function scopeOf(method: string, path: string): TokenScope | "any" | null {
  const asked = method === "HEAD" ? "GET" : method;
  return OPEN_TO_TOKENS.find((call) => call.method === asked && call.pattern.test(path))?.tokens ?? null;
}

/** After `identify`. @returns a middleware that throws UserError "missing_scope" */
export function limitTokens(): Middleware<ViewerState> {
  return async (ctx, next) => {
    const { token } = ctx.state.viewer;
    if (token) {
      const scope = scopeOf(ctx.method, ctx.path);
      if (scope === null || (scope !== "any" && !token.scopes.includes(scope))) throw new UserError("missing_scope");
    }
    await next();
  };
}
