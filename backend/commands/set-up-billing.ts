/** The operator's `npm run billing:setup`: creates or checks product, prices and webhook at the payment provider. */
import { Stripe } from "stripe";
import { ConfigError, readConfig, type Config } from "../config/config.ts";
import { CatalogError } from "../domain/billing/provider/catalog.ts";
import { setUpBilling } from "../domain/billing/set-up.ts";
import { createStripeClient } from "../domain/billing/provider/stripe-client.ts";
import { WEBHOOK_PATH } from "../http/routes/billing-routes.ts";
import { printLine, runCommand } from "./run-command.ts";

async function setUpProvider(): Promise<void> {
  // The command prints the webhook secret, so it must run without one, and `readConfig` would reject only a part of the
  // keys.
  const config = readConfig({
    ...process.env,
    STRIPE_SECRET_KEY: "",
    STRIPE_PUBLISHABLE_KEY: "",
    STRIPE_WEBHOOK_SECRET: "",
    PAYMENT_STAND_IN: "",
  });
  const { apiAddress, timeoutMs } = config.settings.payment;
  const stripe = createStripeClient({ secretKey: readSecretKey(config), apiAddress, timeoutMs });
  const isReachable = config.publicUrl.startsWith("https:");
  const webhookUrl = new URL(WEBHOOK_PATH, config.publicUrl).href;
  const { lines, webhookSecret } = await setUpBilling(stripe, isReachable ? webhookUrl : null);
  for (const line of lines) printLine(line);
  if (!isReachable)
    printLine(
      `Events cannot reach ${webhookUrl}: set PUBLIC_URL to an https address, ` +
        "or forward them with the provider's own command line",
    );
  if (webhookSecret !== null) printLine(`Set STRIPE_WEBHOOK_SECRET=${webhookSecret} (it is shown once)`);
}

/** @throws ConfigError when the key is missing, or of the wrong kind for production or development */
function readSecretKey({ isProduction }: Config): string {
  const secretKey = process.env["STRIPE_SECRET_KEY"]?.trim();
  if (secretKey === undefined || !/^[sr]k_(?:test|live)_/.test(secretKey))
    throw new ConfigError("STRIPE_SECRET_KEY must be set to the payment provider's secret key");
  if (secretKey.includes("_live_") !== isProduction)
    throw new ConfigError(
      isProduction
        ? "STRIPE_SECRET_KEY must be a live key in production"
        : "STRIPE_SECRET_KEY must be a test key outside production; for a live one set NODE_ENV=production",
    );
  return secretKey;
}

await runCommand(setUpProvider, (error) => error instanceof CatalogError || error instanceof Stripe.errors.StripeError);
