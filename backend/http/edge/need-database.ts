/** Answers that need the database are not waited for while it does not answer. */
import type { Middleware } from "koa";
import type { DatabaseWatch } from "../../domain/database/database-watch.ts";
import { SESSION_COOKIE } from "../../domain/accounts/session-cookie.ts";
import { isForPage } from "../pages/page.ts";

/**
 * Everything behind this may ask the database. A page for a visitor who is not signed in does not:
 * it is answered all the same.
 * @throws DatabaseAwayError (rejects) while the database is lost, and as soon as it is lost
 */
export function needDatabase(database: Pick<DatabaseWatch, "during">): Middleware {
  return (ctx, next) =>
    isForPage(ctx) && ctx.cookies.get(SESSION_COOKIE) === undefined ? next() : database.during(next);
}
