/** Creates the client of the payment provider and translates its errors. */
import { Stripe } from "stripe";
import { UserError } from "../../../../common/errors.ts";

/** The version of the provider's API that this code is written for. */
const API_VERSION = "2026-10-28.endive";
/** The client backs off between retries and repeats the idempotency key, so that nothing is done twice. */
const MAX_NETWORK_RETRIES = 2;

export interface StripeClientSettings {
  readonly secretKey: string;
  /** URL of the provider's API, or of its stand-in. */
  readonly apiAddress: string;
  /** Limit for one attempt of one request. */
  readonly timeoutMs: number;
}

export function createStripeClient({ secretKey, apiAddress, timeoutMs }: StripeClientSettings): Stripe {
  const { protocol, hostname, port } = new URL(apiAddress);
  const isSecure = protocol === "https:";
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    protocol: isSecure ? "https" : "http",
    host: hostname,
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    timeout: timeoutMs,
    maxNetworkRetries: MAX_NETWORK_RETRIES,
    telemetry: false,
  });
}

/** Whether a secret key (`sk_live_…`) or restricted key (`rk_live_…`) belongs to the provider's live mode. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}

/** A failed request to the provider; the cause is for the log. */
export class PaymentProviderError extends UserError {
  constructor(code: "payment_provider" | "payment_unconfigured", cause: Error) {
    super(code);
    this.name = "PaymentProviderError";
    this.cause = cause;
  }
}

/**
 * Runs requests to the provider that a user waits for.
 * @throws PaymentProviderError instead of the client's errors: `payment_unconfigured` when the provider rejects our
 * keys, `payment_provider` for everything else
 */
export async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const isRefused =
      error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError;
    throw new PaymentProviderError(isRefused ? "payment_unconfigured" : "payment_provider", error);
  }
}

/**
 * Whether the error says that an object does not exist at the provider, or was deleted.
 * @param param only for the id in this request parameter; default any
 */
export function isMissing(error: unknown, param?: string): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "resource_missing" &&
    (param === undefined || error.param === param)
  );
}

/** Whether the error says that the price was archived or deleted. */
export function isRefusedPrice(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && /^items\[\d+\]\[price\]$/.test(error.param ?? "");
}

/** Whether the error is a response of the provider, which repeats it for the same idempotency key. */
export function wasAnswered(error: unknown): boolean {
  const cause = error instanceof PaymentProviderError ? error.cause : error;
  return cause instanceof Stripe.errors.StripeError && cause.statusCode !== undefined;
}
