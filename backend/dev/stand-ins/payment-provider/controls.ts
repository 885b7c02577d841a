/** HTTP calls that control the stand-in, for browser tests and manual use. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { ApiError } from "./api-error.ts";
import type { PaymentProvider } from "./payment-provider.ts";

const Step = z.union([
  z.strictObject({ days: z.number() }),
  z.strictObject({ hours: z.number() }),
  z.strictObject({ seconds: z.number() }),
  z.strictObject({ to: z.coerce.date() }),
]);
const Card = z.strictObject({ customer: z.string(), number: z.string() });
const Target = z.strictObject({ target: z.string() });
const Disputed = z.strictObject({
  target: z.string(),
  reason: z.string().optional(),
  isInquiry: z.boolean().optional(),
});
const Settled = z.strictObject({ dispute: z.string(), outcome: z.enum(["lost", "won"]) });
const order = z.enum(["as-made", "reversed", "shuffled"]);
const Manner = z
  .strictObject({
    order,
    copies: z.number().int().min(0),
    hold: z.boolean(),
    lose: z.union([z.boolean(), z.array(z.string())]),
    delayMs: z.number().min(0),
  })
  .partial();
const Trouble = z.strictObject({
  path: z.string(),
  method: z.string().optional(),
  about: z.string().optional(),
  status: z.union([z.literal([402, 409, 429, 500, 502, 503]), z.enum(["late", "network"])]),
  times: z.number().int().min(1).optional(),
});

const CONTROLS: { readonly [path: string]: (provider: PaymentProvider, body: unknown) => unknown } = {
  "/stand-in/advance": (provider, body) => provider.advance(Step.parse(body)),
  "/stand-in/card": (provider, body) => {
    const { customer, number } = Card.parse(body);
    provider.setCard(customer, number);
  },
  "/stand-in/refund": (provider, body) => provider.refund(Target.parse(body).target),
  "/stand-in/dispute": (provider, body) => {
    const { target, ...details } = Disputed.parse(body);
    return provider.dispute(target, details);
  },
  "/stand-in/dispute/settle": (provider, body) => {
    const { dispute, outcome } = Settled.parse(body);
    provider.settleDispute(dispute, outcome);
  },
  "/stand-in/fail": (provider, body) => provider.fail(Trouble.parse(body)),
  "/stand-in/webhooks": (provider, body) => {
    const given = Object.entries(Manner.parse(body)).filter(([, value]) => value !== undefined);
    provider.webhooks.configure(Object.fromEntries(given));
  },
  "/stand-in/webhooks/release": (provider, body) => {
    provider.webhooks.release(z.strictObject({ order: order.optional() }).parse(body));
  },
  "/stand-in/webhooks/idle": (provider) => provider.webhooks.idle(),
};

/** @returns whether the request was a control call, which is then answered */
export async function handleControls(
  provider: PaymentProvider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): Promise<boolean> {
  if (!url.pathname.startsWith("/stand-in/")) return false;
  const answer = (status: number, content: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(content, null, 2)}\n`);
  if (request.method === "GET" && url.pathname === "/stand-in/clock") answer(200, { now: provider.now() });
  else if (request.method === "GET" && url.pathname === "/stand-in/events") answer(200, provider.events);
  else {
    const control = request.method === "POST" ? CONTROLS[url.pathname] : undefined;
    // JSON is required, so that a page of another site cannot make these calls from a developer's browser.
    const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
    if (!control || !isJson) answer(404, { error: "No such control; send a POST with JSON." });
    else {
      try {
        answer(200, { done: (await control(provider, JSON.parse(body || "{}"))) ?? true, now: provider.now() });
      } catch (error) {
        if (error instanceof ApiError || error instanceof z.ZodError || error instanceof SyntaxError)
          answer(400, { error: error.message });
        else throw error;
      }
    }
  }
  return true;
}
