/** Refuses requests that need the database while it does not answer. */
import type { Middleware } from "koa";
import type { DatabaseWatch } from "../../domain/database/database-watch.ts";
import { isForPage } from "../pages/page.ts";

/**
 * Must come before all middleware that uses the database. Pages for visitors who are not signed in do not use it and
 * pass.
 * @param sessionCookie name of the session cookie
 * @throws DatabaseAwayError (as a rejection) while the database is lost, or when it becomes lost
 */
export function needDatabase(database: Pick<DatabaseWatch, "during">, sessionCookie: string): Middleware {
  return (ctx, next) =>
    isForPage(ctx) && ctx.cookies.get(sessionCookie) === undefined ? next() : database.during(next);
}
