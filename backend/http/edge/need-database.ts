/** Refuses requests that need the database while it does not answer. */
import type { Middleware } from "koa";
import type { DatabaseWatch } from "../../domain/database/database-watch.ts";
import { SESSION_COOKIE } from "../../domain/accounts/session-cookie.ts";
import { isForPage } from "../pages/page.ts";

/**
 * Must come before all middleware that uses the database. Pages for visitors who are not signed in do not use it and
 * pass.
 * @throws DatabaseAwayError (as a rejection) while the database is lost, or when it becomes lost
 */
export function needDatabase(database: Pick<DatabaseWatch, "during">): Middleware {
  return (ctx, next) =>
    isForPage(ctx) && ctx.cookies.get(SESSION_COOKIE) === undefined ? next() : database.during(next);
}
