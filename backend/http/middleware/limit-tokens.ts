/** Lets a token make only the calls for which it has the scope. */
import type { Middleware } from "koa";
import { UserError } from "../../../common/errors.ts";
import type { ViewerState } from "./identify.ts";

/** After `identify` and `findDeclared`. @returns a middleware that throws UserError "missing_scope" */
export function limitTokens(): Middleware<ViewerState> {
  return async (ctx, next) => {
    const { viewer, declared } = ctx.state;
    if (viewer.token) {
      const scope = declared?.tokens;
      if (scope === undefined || (scope !== "any" && !viewer.token.scopes.includes(scope)))
        throw new UserError("missing_scope");
    }
    await next();
  };
}
