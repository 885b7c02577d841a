/** Webhooks of a server that is stopped while a message waits for its answer. */
import { expect, it } from "vitest";
import { startMessageReceiver } from "../../dev/testing/message-receiver.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

it("sends what was waiting when the server was stopped", async () => {
  await using program = await startMessageReceiver();
  await using server = await startTestServer(
    {
      hasExtractor: false,
      settings: { webhooks: { firstDelayMs: 20, maxDelayMs: 100, privateHosts: [program.host] } },
    },
    undefined,
    convertWithoutTools,
  );
  const device = await server.newDevice();
  await server.signIn(device, { email: "restart@example.com" });
  expect((await device.call("POST", "/api/webhooks", { url: program.url })).status).toBe(201);
  program.answerIf(() => program.messages.length === 1, "never");
  const { id } = await device.convert(server.site.urlOf("rain"));
  await expect.poll(() => program.messages.length).toBe(1);
  await server.stop();
  await server.start();
  await expect.poll(() => program.messages.map((message) => message.id)).toEqual([`${id}.1`, `${id}.1`]);
});
