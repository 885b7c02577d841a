/** The contact form of sites whose mail server does not work. */
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { ErrorBody, SENTENCES } from "../../../common/errors.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const MESSAGE = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.org",
  subject: "billing",
  message: "Line one.",
};
const NOT_SENT = { code: "message_not_sent", message: SENTENCES.message_not_sent };

describe("a mail server that does not answer", () => {
  it("blocks neither the visitor for long nor other requests, nor the stop of the site", async () => {
    const connected = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.on("error", () => undefined);
      connected.resolve();
    });
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    await using slow = await startTestServer({
      hasExtractor: false,
      SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      SUPPORT_EMAIL: "help@deck.example",
      settings: { mail: { timeoutMs: 1_000 } },
    });
    const device = await slow.newDevice();
    const sending = device.call("POST", "/api/contact", MESSAGE);
    await connected.promise;
    expect((await device.call("GET", "/api/config")).status).toBe(200);
    const answer = await sending;
    expect([answer.status, ErrorBody.parse(await answer.json())]).toEqual([503, NOT_SENT]);
    silent.close();
  });
});

it("says at its start that the mail server does not accept it, and starts all the same", async () => {
  const lines: string[] = [];
  await using other = await startTestServer({
    hasExtractor: false,
    // Nothing listens there.
    SMTP_URL: "smtp://127.0.0.1:9",
    SUPPORT_EMAIL: "help@deck.example",
    onLogLine: (line) => lines.push(line),
  });
  await expect.poll(() => lines.join("\n")).toMatch(/the contact form cannot send: .*ECONNREFUSED/);
  const answer = await (await other.newDevice()).call("POST", "/api/contact", MESSAGE);
  expect([answer.status, ErrorBody.parse(await answer.json())]).toEqual([503, NOT_SENT]);
});
