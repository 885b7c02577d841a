/** Webhook events of the payment provider with odd signatures, sizes and shapes. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { faultOf, rawRequest, sendRaw } from "../../dev/testing/raw-request.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const WEBHOOK_SECRET = "whsec_hostile";

// These tests never call the payment provider, so its address is unreachable.
const server = await ofFile(
  startTestServer({
    hasExtractor: false,
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    settings: { payment: { apiAddress: "http://127.0.0.1:9" } },
  }),
);

function signed(body: string): string {
  const atSeconds = Math.floor(Date.now() / 1_000);
  return `t=${atSeconds},v1=${createHmac("sha256", WEBHOOK_SECRET).update(`${atSeconds}.${body}`).digest("hex")}`;
}
const EVENT = JSON.stringify({
  id: "evt_hostile",
  object: "event",
  type: "invoice.paid",
  data: { object: { id: "in_1", object: "invoice", customer: "cus_nobody" } },
});
const sendMessage = (signature: string, body: string, more: string[] = []) =>
  sendRaw(
    server.origin,
    rawRequest(
      "POST /api/stripe-webhook HTTP/1.1",
      ["Content-Type: application/json", `Stripe-Signature: ${signature}`, ...more],
      body,
    ),
  );

describe("a webhook event", () => {
  const letters = "\u00e9";
  it.each([
    "",
    "t=,v1=",
    "t=1",
    "v1=",
    "t=1,v1=",
    "t=x,v1=x",
    "=,=",
    ",,,",
    "t=1,v1=00",
    `t=1,v1=${"0".repeat(64)}`,
    `t=1,v1=${letters}${letters}`,
    `t=1,v1=${letters.repeat(64)}`,
    `t=1,v1=${letters.repeat(32)}`,
    `t=${"9".repeat(400)},v1=${"0".repeat(64)}`,
    `t=-1,v1=${"0".repeat(64)}`,
    "t=1,v1=__proto__,v0=1",
    "x".repeat(5_000),
  ])("with the signature %j is refused with 400", async (signature) => {
    const answer = await sendMessage(signature, EVENT);
    expect(faultOf(answer)).toBeNull();
    expect(answer?.status).toBe(400);
  });

  it("in chunks is accepted up to the size limit, and refused with 413 above it", async () => {
    const chunked = (body: string) =>
      [
        body
          .match(/[^]{1,60000}/g)
          ?.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
          .join(""),
        "0\r\n\r\n",
      ].join("");
    expect((await sendMessage(signed(EVENT), chunked(EVENT), ["Transfer-Encoding: chunked"]))?.status).toBe(200);
    const padded = `${EVENT.slice(0, -1)},"x":"${"x".repeat(900_000)}"}`;
    expect((await sendMessage(signed(padded), chunked(padded), ["Transfer-Encoding: chunked"]))?.status).toBe(200);
    expect(
      (await sendMessage(signed(EVENT), chunked("x".repeat(1_100_000)), ["Transfer-Encoding: chunked"]))?.status,
    ).toBe(413);
  });

  it.each([
    [
      "a thin event",
      {
        id: "evt_thin",
        object: "v2.core.event",
        type: "v1.billing.meter.error_report_triggered",
        related_object: { id: "x" },
      },
    ],
    ["an event without data", { id: "evt_1", object: "event", type: "invoice.paid" }],
    ["an event about null", { id: "evt_2", object: "event", type: "invoice.paid", data: { object: null } }],
  ])("with a valid signature and %s is accepted, so that it is not sent again", async (_, event) => {
    const body = JSON.stringify(event);
    expect((await sendMessage(signed(body), body))?.status).toBe(200);
  });

  it.each(["{", "[]", "null", '{"object":"event","type":"invoice.paid"}', "\u00ff"])(
    "with a valid signature and an invalid body is refused with 400: %s",
    async (body) => {
      const answer = await sendMessage(signed(body), body);
      expect(faultOf(answer)).toBeNull();
      expect(answer?.status).toBe(400);
    },
  );
});
