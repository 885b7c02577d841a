import type { Reason } from "../../common/reasons.ts";
import { UserError, type RequestErrorCode } from "../../common/errors.ts";

type LimitCode = Extract<RequestErrorCode, "rate_limited" | "network_busy" | "queue_full" | "unavailable_now">;

/** The request is refused for now and may be sent again later. */
export class RateLimitedError extends UserError {
  readonly retryAfterSeconds: number;

  /** @param message undefined: the sentence of the code */
  constructor(
    message: string | undefined,
    retryAfterSeconds: number,
    { code = "rate_limited", reason }: { code?: LimitCode; reason?: Reason } = {},
  ) {
    super(code, message, reason);
    this.name = "RateLimitedError";
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
