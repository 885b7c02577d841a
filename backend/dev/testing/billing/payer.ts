/** Pays as the browser's payment form does, with the calls of the stand-in. */
import { z } from "zod";

const Confirmed = z.object({ error: z.object({ message: z.string().optional() }).optional() });

export const GOOD_CARD = "4242424242424242";
/** Can be saved, but every charge to it is declined. */
export const LATER_FAILING_CARD = "4000000000000341";

/** @returns the provider's message when the card was declined; null when it was charged or stored for later */
export async function confirmWithCard(
  provider: { readonly origin: string; readonly publishableKey: string },
  clientSecret: string,
  number: string = GOOD_CARD,
): Promise<string | null> {
  const answer = await fetch(`${provider.origin}/browser/confirm`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      clientSecret,
      key: provider.publishableKey,
      card: { number, cvc: "123", expMonth: 12, expYear: new Date().getUTCFullYear() + 3 },
    }),
  });
  const { error } = Confirmed.parse(await answer.json());
  return error === undefined ? null : (error.message ?? "refused");
}
