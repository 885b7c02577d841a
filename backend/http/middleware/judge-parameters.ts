/**
 * Judges query parameters and headers of calls by the schemas that the description of the API is made from. Routes see
 * only what passes: a parameter that is not described does not exist for them.
 */
import type { Middleware } from "koa";
import type { z } from "zod";
import { UserError } from "../../../common/errors.ts";

/** What a call takes beside its path and its body. */
export interface CallParameters {
  readonly query?: z.ZodObject | undefined;
  readonly headers?: z.ZodObject | undefined;
}

/**
 * @param calls by route, such as "DELETE /api/conversions/:id"
 * @throws UserError bad_request
 */
export function judgeParameters(calls: Readonly<Record<string, CallParameters>>): Middleware {
  const known = Object.entries(calls)
    .filter(([, { query, headers }]) => query !== undefined || headers !== undefined)
    .map(([route, parameters]) => {
      const [method = "", path = ""] = route.split(" ");
      return { method, path: patternOf(path), ...parameters };
    });
  return async (ctx, next) => {
    const method = ctx.method === "HEAD" ? "GET" : ctx.method;
    const call = known.find((one) => one.method === method && one.path.test(ctx.path));
    const query = call?.query ? judge(call.query, ctx.query) : {};
    if (call?.headers) judge(call.headers, ctx.headers);
    Object.defineProperty(ctx.request, "query", { value: query, writable: true, configurable: true });
    await next();
  };
}

/** As the router compares paths: in any case, and with a slash at the end or without. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", String.raw`\.`)}/?$`, "i");
}

function judge(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const judged = schema.safeParse(value);
  if (!judged.success) throw new UserError("bad_request");
  return judged.data;
}
