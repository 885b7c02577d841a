/**
 * Judges query parameters and headers of calls by the schemas of their declarations. Routes see only what passes: a
 * parameter that is not declared does not exist for them.
 */
import type { Middleware } from "koa";
import type { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import type { DeclaredState } from "./declared-call.ts";

/** After `findDeclared`. @throws UserError bad_request */
export function judgeParameters(): Middleware<DeclaredState> {
  return async (ctx, next) => {
    const { declared } = ctx.state;
    const query = declared?.query ? judge(declared.query, ctx.query) : {};
    if (declared?.headers) judge(declared.headers, ctx.headers);
    Object.defineProperty(ctx.request, "query", { value: query, writable: true, configurable: true });
    await next();
  };
}

function judge(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const judged = schema.safeParse(value);
  if (!judged.success) throw new UserError("bad_request");
  return judged.data;
}
