import { UserError } from "../../common/errors.ts";

/** The request is refused for now and may be sent again later. */
export class RateLimitedError extends UserError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super("rate_limited", message);
    this.name = "RateLimitedError";
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
