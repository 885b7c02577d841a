/** Finds the declaration of a call, which tells the checks before the routes what the call may be. */
import type { Middleware } from "koa";
import { addressOf, type Call } from "../api-description/call.ts";

export interface DeclaredState {
  /** Undefined where no call has the method and path. */
  declared: Call | undefined;
}

export function findDeclared(calls: readonly Call[]): Middleware<DeclaredState> {
  const known = calls.map((call) => {
    const [method, path] = addressOf(call);
    return { call, method, pattern: patternOf(path) };
  });
  return async (ctx, next) => {
    const asked = ctx.method === "HEAD" ? "GET" : ctx.method;
    ctx.state.declared = known.find(({ method, pattern }) => method === asked && pattern.test(ctx.path))?.call;
    await next();
  };
}

/** As the router compares paths: in any case, and with a slash at the end or without. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", String.raw`\.`)}/?$`, "i");
}
