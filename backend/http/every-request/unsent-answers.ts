/** Handles answers that could not be sent. */
import type Koa from "koa";
import type { Logger } from "pino";
import type { SecurityHeaders } from "./security-headers.ts";

/**
 * Most errors are handled by `renderErrors`. Koa handles two others: the browser closed the connection during the
 * answer, or an error came from outside of `renderErrors`. Koa then removes all headers and sets those of the error.
 */
export function logUnsentAnswers<State>(app: Koa<State>, headers: SecurityHeaders, log: Logger): void {
  app.on("error", (error: Error & { headers?: SecurityHeaders }) => {
    log.debug({ error }, "an answer could not be sent");
    error.headers = { ...headers };
  });
}
