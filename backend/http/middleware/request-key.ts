/** The name a browser gives a request it may have to send again. */
import type { Context } from "koa";
import { UserError } from "../../../common/errors.ts";

/** Printable, and longer than any generated id. */
const KEY = /^[\u0021-\u007e]{1,200}$/;

/** The `Idempotency-Key` header; undefined when there is none. @throws UserError bad_request for one that is none */
export function requestKeyOf(ctx: Context): string | undefined {
  const key = ctx.get("Idempotency-Key");
  if (key === "") return undefined;
  if (!KEY.test(key)) throw new UserError("bad_request", "The Idempotency-Key must be 1 to 200 printable characters.");
  return key;
}
