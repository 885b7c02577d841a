/** The one place where the payment provider's client is made, and where its errors become ours. */
import { Stripe } from "stripe";
import { UserError } from "../../../../common/errors.ts";

/** The version of the provider's interface that this code was written against. */
const API_VERSION = "2026-10-28.endive";
/** The client waits between tries, longer each time, and sends the same key so that nothing is done twice. */
const MAX_NETWORK_RETRIES = 2;

export interface StripeClientSettings {
  readonly secretKey: string;
  /** Where the provider answers: its own address, or a stand-in's. */
  readonly apiAddress: string;
  /** For one try of one request. */
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

/** Whether a secret or restricted key belongs to the provider's live mode: `sk_live_…` or `rk_live_…`. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}

/** The provider did not do what was asked; the cause is for the log. */
export class PaymentProviderError extends UserError {
  constructor(code: "payment_provider" | "payment_unconfigured", cause: Error) {
    super(code);
    this.name = "PaymentProviderError";
    this.cause = cause;
  }
}

/**
 * Runs what a person waits for.
 * @throws PaymentProviderError in place of the client's own errors: keys that do not open anything
 * are a matter of configuration, everything else of trying again
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
 * The provider has nothing of this id, or no longer.
 * @param param the parameter that named it; default any
 */
export function isMissing(error: unknown, param?: string): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "resource_missing" &&
    (param === undefined || error.param === param)
  );
}

/** The provider does not sell at this price any more: it was archived or deleted. */
export function isRefusedPrice(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && /^items\[\d+\]\[price\]$/.test(error.param ?? "");
}

/** The provider did answer, so it will answer the same to the same key. */
export function wasAnswered(error: unknown): boolean {
  const cause = error instanceof PaymentProviderError ? error.cause : error;
  return cause instanceof Stripe.errors.StripeError && cause.statusCode !== undefined;
}
