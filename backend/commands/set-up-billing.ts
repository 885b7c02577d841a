/** `npm run billing:setup`: makes at the payment provider what is for sale, or checks that it is right. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Stripe } from "stripe";
import { ConfigError, readConfig } from "../config/config.ts";
import { CatalogError } from "../domain/billing/provider/catalog.ts";
import { setUpBilling } from "../domain/billing/set-up.ts";
import { createStripeClient } from "../domain/billing/provider/stripe-client.ts";
import { WEBHOOK_PATH } from "../http/routes/billing-routes.ts";

const ROOT = resolve(import.meta.dirname, "../..");

async function run(): Promise<string> {
  if (existsSync(join(ROOT, ".env"))) process.loadEnvFile(join(ROOT, ".env"));
  // The secret of the messages is what this command may be run to get.
  const config = readConfig({
    ...process.env,
    STRIPE_SECRET_KEY: "",
    STRIPE_PUBLISHABLE_KEY: "",
    STRIPE_WEBHOOK_SECRET: "",
    PAYMENT_STAND_IN: "",
  });
  const secretKey = process.env["STRIPE_SECRET_KEY"]?.trim();
  if (secretKey === undefined || !/^[sr]k_(?:test|live)_/.test(secretKey))
    throw new ConfigError("STRIPE_SECRET_KEY must be set to the payment provider's secret key");
  if (secretKey.includes("_live_") !== config.isProduction)
    throw new ConfigError(
      config.isProduction
        ? "STRIPE_SECRET_KEY must be a live key in production"
        : "STRIPE_SECRET_KEY must be a test key outside production; for a live one set NODE_ENV=production",
    );
  const isReachable = config.publicUrl.startsWith("https:");
  const webhookUrl = new URL(WEBHOOK_PATH, config.publicUrl).href;
  const stripe = createStripeClient({
    secretKey,
    apiAddress: config.settings.payment.apiAddress,
    timeoutMs: config.settings.payment.timeoutMs,
  });
  const { lines, webhookSecret } = await setUpBilling(stripe, isReachable ? webhookUrl : null);
  return [
    ...lines,
    ...(isReachable
      ? []
      : [
          `Messages cannot come to ${webhookUrl}: set PUBLIC_URL to an https address, or forward them with the provider's own command line`,
        ]),
    ...(webhookSecret === null ? [] : [`Set STRIPE_WEBHOOK_SECRET=${webhookSecret} (it is shown once)`]),
  ].join("\n");
}

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  const isPlain =
    error instanceof ConfigError || error instanceof CatalogError || error instanceof Stripe.errors.StripeError;
  process.stderr.write(
    `${isPlain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
}
