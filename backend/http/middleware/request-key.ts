/** The idempotency key that a browser gives a request which it may have to send again. */
import type { Context } from "koa";
import { UserError } from "../../../common/errors.ts";

/** Printable, and long enough for any generated id. */
const KEY = /^[\u0021-\u007e]{1,200}$/;

/**
 * @returns the `Idempotency-Key` header; undefined if it is missing
 * @throws UserError bad_request if it is invalid
 */
export function requestKeyOf(ctx: Context): string | undefined {
  const key = ctx.get("Idempotency-Key");
  if (key === "") return undefined;
  if (!KEY.test(key)) throw new UserError("bad_request", "The Idempotency-Key must be 1 to 200 printable characters.");
  return key;
}
