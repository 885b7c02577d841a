/** What becomes of an answer that could not be sent. */
import type Koa from "koa";
import type { Logger } from "pino";
import type { SecurityHeaders } from "./security-headers.ts";

/**
 * Errors are rendered and logged by us. What is left for Koa is a browser that went away in mid-answer, and what fails
 * outside of our renderer: Koa then removes all headers and sets those that the error names.
 */
export function logUnsentAnswers<State>(app: Koa<State>, headers: SecurityHeaders, log: Logger): void {
  app.on("error", (error: Error & { headers?: SecurityHeaders }) => {
    log.debug({ error }, "an answer could not be sent");
    error.headers = { ...headers };
  });
}
