/** The idempotency key that a browser gives a request which it may have to send again. */
import type { Context } from "koa";
import { z } from "zod";
import { UserError } from "../../../common/errors.ts";

/** Printable, and long enough for any generated id. An empty one counts as none. */
export const IdempotencyKey = z.string().regex(/^[\u0021-\u007e]{0,200}$/);

/**
 * @returns the `Idempotency-Key` header; undefined if it is missing
 * @throws UserError bad_request if it is invalid
 */
export function requestKeyOf(ctx: Context): string | undefined {
  const key = IdempotencyKey.safeParse(ctx.get("Idempotency-Key"));
  if (!key.success) throw new UserError("bad_request", "The Idempotency-Key must be 1 to 200 printable characters.");
  return key.data === "" ? undefined : key.data;
}
