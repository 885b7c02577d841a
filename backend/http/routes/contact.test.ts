/** The contact form, from the request to the mail server. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { ContactAnswer } from "../../../common/contact-message.ts";
import { ErrorBody, SENTENCES } from "../../../common/errors.ts";
import { MailServer } from "../../dev/stand-ins/mail-server.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { DeviceInfo } from "../../../common/api.ts";
import mongoose from "mongoose";
import type { BlockKind } from "../../../common/block-kinds.ts";
import { openBlockModels } from "../../domain/blocks/block-model.ts";
import { createInProcessBus } from "../../domain/bus.ts";
import { addBlock } from "../../domain/blocks/change-blocks.ts";

const MESSAGE = {
  firstName: " Ada ",
  lastName: "Lovelace",
  email: " ada@example.org ",
  subject: "billing",
  message: "Line one.\r\nLine two, with a xylophone.\u0000",
};
const NOT_SENT = { code: "message_not_sent", message: SENTENCES.message_not_sent };
const METRICS_TOKEN = "a-token-for-the-metrics";

let visitor: TestDevice;
const log: string[] = [];
/** Refuses mails while it is set. */
let refusal: string | undefined;

const mailServer = await ofFile(
  MailServer.start({
    onMail: ({ raw }) => {
      if (refusal !== undefined) throw new Error(`${refusal}: ${raw}`);
    },
  }),
);
const server = await ofFile(
  startTestServer({
    hasExtractor: false,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SUPPORT_EMAIL: "help@deck.example",
    TRUST_PROXY: "1",
    METRICS_TOKEN,
    onLogLine: (line) => log.push(line),
    settings: { rates: { contactPerDevice: 6, contactPerNetwork: 8 } },
  }),
);
beforeEach(async () => void (visitor = await server.newDevice()));
afterEach(() => {
  refusal = undefined;
  mailServer.received.length = 0;
});

let network = 0;
/** Sends from a network of its own, because networks are limited. */
const send = (input: unknown, device = visitor, address = `198.51.${(network += 1)}.1`) =>
  device.call("POST", "/api/contact", input, { "x-forwarded-for": address });

async function countOf(outcome: string): Promise<number> {
  const answer = await fetch(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(
    new RegExp(`^tapedeck_contact_messages_total\\{outcome="${outcome}"\\} (\\d+)`, "m").exec(
      await answer.text(),
    )?.[1] ?? 0,
  );
}

/** RFC 2045, section 6.7. */
function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

it("says sent after the mail server has accepted the message, and counts it", async () => {
  const before = await countOf("sent");
  const answer = await send(MESSAGE);
  expect([answer.status, ContactAnswer.parse(await answer.json())]).toEqual([200, { sent: true }]);
  const [mail] = mailServer.received;
  expect(mail).toMatchObject({ from: "help@deck.example", to: ["help@deck.example"] });
  expect(mail?.raw).toContain("Reply-To: Ada Lovelace <ada@example.org>\r\n");
  expect(mail?.raw).toContain("Subject: Billing: Ada Lovelace\r\n");
  expect(mail?.raw).toContain(
    "\r\n\r\nLine one.\r\nLine two, with a xylophone.\r\n\r\n-- \r\n" +
      "Ada Lovelace <ada@example.org>\r\nSubject: Billing\r\nPlan: Free\r\n",
  );
  expect(await countOf("sent")).toBe(before + 1);
});

it("tells the operator that a user has Pro", async () => {
  await server.signIn(visitor, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  expect((await send(MESSAGE)).status).toBe(200);
  expect(mailServer.received[0]?.raw).toContain("Subject: Billing (Pro): Ada Lovelace\r\n");
});

it("keeps letters of every script", async () => {
  const input = { ...MESSAGE, firstName: "आडा", lastName: "لوفليس", message: "यह गुनगुनाता है।" };
  expect((await send(input)).status).toBe(200);
  const { raw = "" } = mailServer.received[0] ?? {};
  expect(raw).toContain("Content-Transfer-Encoding: quoted-printable");
  expect(fromQuotedPrintable(raw)).toContain("\r\n\r\nयह गुनगुनाता है।\r\n\r\n-- \r\nआडा لوفليس <ada@example.org>\r\n");
});

it("says what to do when the mail server refuses the message, and logs the reason without the message", async () => {
  refusal = "looks like spam";
  const before = await countOf("failed");
  log.length = 0;
  const answer = await send(MESSAGE);
  expect([answer.status, ErrorBody.parse(await answer.json())]).toEqual([503, NOT_SENT]);
  expect(await countOf("failed")).toBe(before + 1);
  expect(log.join("\n")).toMatch(/the mail server did not accept a mail: EMESSAGE, after DATA: 450/);
  expect(log.join("\n")).not.toMatch(/xylophone|Ada|Lovelace|ada@example|Line one|spam/);
});

it.each([
  ["a line break in the first name", { firstName: "Ada\r\nBcc: victim@example.net" }],
  ["a line separator in the last name", { lastName: "Love\u2028lace" }],
  ["a line break in the address", { email: "ada@example.org\nBcc: victim@example.net" }],
  ["two addresses", { email: "ada@example.org, victim@example.net" }],
  ["a display name in the address", { email: "Ada <ada@example.org>" }],
  ["a subject of its own", { subject: "billing\r\nBcc: victim@example.net" }],
  ["no message", { message: " \r\n " }],
  ["control characters only", { message: "\u0000\u0007" }],
  ["a message that is too long", { message: "x".repeat(5_001) }],
  ["a name that is too long", { firstName: "x".repeat(101) }],
  ["an address that is too long", { email: `${"x".repeat(250)}@example.org` }],
  ["a name that is no text", { firstName: ["Ada"] }],
])("refuses %s", async (_, change) => {
  const answer = await send({ ...MESSAGE, ...change }, await server.newDevice());
  expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([400, "bad_request"]);
  expect(mailServer.received).toEqual([]);
});

it("takes the longest message", async () => {
  expect((await send({ ...MESSAGE, message: "x".repeat(5_000) })).status).toBe(200);
});

it("refuses a page of another site and a plain form", async () => {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${server.origin}/api/contact`, { method: "POST", headers, body });
  const json = { "content-type": "application/json" };
  expect((await post({ ...json, origin: "https://evil.example" }, JSON.stringify(MESSAGE))).status).toBe(403);
  expect((await post(json, JSON.stringify(MESSAGE))).status).toBe(403);
  const form = { "content-type": "application/x-www-form-urlencoded", origin: server.origin };
  expect((await post(form, "firstName=Ada")).status).toBe(400);
  expect(mailServer.received).toEqual([]);
});

describe("limits", () => {
  it("each visitor and each network by the hour", async () => {
    const statusesOf = async (device: TestDevice, address: string, times: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < times; n += 1) statuses.push((await send(MESSAGE, device, address)).status);
      return statuses;
    };
    expect(await statusesOf(visitor, "203.0.113.1", 7)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    const refused = await send(MESSAGE, visitor, "203.0.113.1");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    const other = await server.newDevice();
    expect(await statusesOf(other, "203.0.113.200", 3)).toEqual([200, 200, 429]);
    expect(await statusesOf(other, "203.0.114.1", 1)).toEqual([200]);
    expect(mailServer.received).toHaveLength(9);
  });

  it("do not count forms with a mistake in them", async () => {
    for (let n = 0; n < 10; n += 1) expect((await send({}, visitor, "203.0.115.1")).status).toBe(400);
    expect((await send(MESSAGE, visitor, "203.0.115.1")).status).toBe(200);
  });

  it("let no blocked browser or network through, but a blocked user, whose refusal names the contact page", async () => {
    const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
    const blockRecords = await openBlockModels(connection);
    const block = (kind: BlockKind, value: string) =>
      addBlock({ blockRecords, bus: createInProcessBus() }, { kind, value, reason: "a test", by: "test" });
    await block("network", "192.0.2.0/24");
    const device = await server.newDevice();
    await block("device", DeviceInfo.parse(await (await device.call("GET", "/api/device-info")).json()).deviceId);
    await expect.poll(async () => (await device.call("GET", "/api/config")).status).toBe(403);
    expect((await send(MESSAGE, device)).status).toBe(403);
    expect((await send(MESSAGE, visitor, "192.0.2.7")).status).toBe(403);
    await server.signIn(visitor, { email: "blocked@example.com" });
    await block("user", "blocked@example.com");
    await expect
      .poll(async () => (await visitor.call("POST", "/api/preview", { youtubeUrl: server.site.urlOf("rain") })).status)
      .toBe(403);
    expect((await send(MESSAGE)).status).toBe(200);
    await connection.close();
  });
});
