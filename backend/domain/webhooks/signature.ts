import { createHmac } from "node:crypto";

/**
 * Signs a message as Stripe does, so that its libraries can check it: https://docs.stripe.com/webhooks#verify-manually.
 * The time is signed too, so that nobody can send a copy later.
 * @param atMs Unix time
 */
export function signMessage(body: string, secret: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}
