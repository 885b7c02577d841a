/** HTTP calls that control the stand-in, for browser tests and manual use. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { ApiError } from "./api-error.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { DeliveryMode } from "./webhooks.ts";

const Step = z.union([
  z.strictObject({ months: z.number() }),
  z.strictObject({ days: z.number() }),
  z.strictObject({ hours: z.number() }),
]);
const Card = z.strictObject({ customer: z.string(), number: z.string() });
const Target = z.strictObject({ target: z.string() });
const Trouble = z.strictObject({
  path: z.string(),
  method: z.string().optional(),
  about: z.string().optional(),
  status: z.union([z.literal([429, 500]), z.enum(["late", "network"])]),
  times: z.number().int().min(1).optional(),
});

const CONTROLS: { readonly [path: string]: (provider: PaymentProvider, body: unknown) => unknown } = {
  "/stand-in/advance": (provider, body) => provider.advance(Step.parse(body)),
  "/stand-in/card": (provider, body) => {
    const { customer, number } = Card.parse(body);
    provider.setCard(customer, number);
  },
  "/stand-in/dispute": (provider, body) => provider.dispute(Target.parse(body).target),
  "/stand-in/fail": (provider, body) => provider.fail(Trouble.parse(body)),
  "/stand-in/webhooks": (provider, body) => provider.webhooks.configure(DeliveryMode.parse(body)),
  "/stand-in/webhooks/release": (provider) => provider.webhooks.release(),
};

export async function answerControl(
  provider: PaymentProvider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const answer = (status: number, content: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(content)}\n`);
  const control = request.method === "POST" ? CONTROLS[url.pathname] : undefined;
  // JSON is required, so that a page of another site cannot make these calls from a developer's browser.
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
  if (!control || !isJson) return void answer(404, { error: "No such control; send a POST with JSON." });
  try {
    await control(provider, JSON.parse(body || "{}"));
    answer(200, { now: provider.now() });
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    answer(400, { error: error.message });
  }
}
