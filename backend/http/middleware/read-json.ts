/** Reads the JSON body of a call. */
import type { Middleware } from "koa";
import bodyParser from "koa-bodyparser";
import { UserError } from "../../../common/errors.ts";

/** Far more than the longest link and its batch of 20 weigh. */
const MAX_BODY = "100kb";

/**
 * The parsed body is on `ctx.request.body`.
 * @throws UserError payload_too_large, or bad_request for everything else: reading and parsing what the caller sent
 * fails by the caller's doing only, also where the parser throws plain errors (a false Content-Encoding)
 */
export function readJson(): Middleware {
  return bodyParser({
    enableTypes: ["json"],
    jsonLimit: MAX_BODY,
    strict: true,
    onerror: (error) => {
      throw new UserError("status" in error && error.status === 413 ? "payload_too_large" : "bad_request");
    },
  });
}
