/** Webhooks of a whole server. */
import mongoose from "mongoose";
import { Stripe } from "stripe";
import { beforeAll, expect, it } from "vitest";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { ConversionError, ErrorBody, EXACT_SENTENCES } from "../../../common/errors.ts";
import { CreatedToken, TokenScope } from "../../../common/token-calls.ts";
import {
  CreatedWebhook,
  JobMessage,
  TestMessage,
  Webhook,
  WebhookDelivery,
  WebhookList,
} from "../../../common/webhook-calls.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { startMessageReceiver } from "../../dev/testing/message-receiver.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { databaseOf } from "../../domain/database/database-of.ts";
import type { Runtime } from "../../runtime/runtime.ts";

const stripe = new Stripe("sk_test_unused");
/** Replaces the pipeline; one page is private. */
const convert: NonNullable<Runtime["convert"]> = (request, listener, signal) =>
  request.url.includes("private")
    ? Promise.reject(new ConversionError("private"))
    : convertWithoutTools(request, listener, signal);

/** A token of theirs that may do all that a token may. */
let token: string;
const program = await ofFile(startMessageReceiver());
const server = await ofFile(
  startTestServer(
    {
      hasExtractor: false,
      VIDEO_HOSTS: "youtube.com,youtu.be,127.0.0.1:8090",
      settings: { webhooks: { firstDelayMs: 20, maxDelayMs: 100, privateHosts: [program.host] } },
    },
    undefined,
    convert,
  ),
);
/** Has no webhooks. */
const anybody = await signIn("anybody@example.com", "pro");
beforeAll(async () => {
  const made = await anybody.call("POST", "/api/tokens", { name: "A program", scopes: TokenScope.options });
  token = CreatedToken.parse(await made.json()).secret;
});

async function signIn(email: string, tier: "free" | "pro" = "free"): Promise<TestDevice> {
  const device = await server.newDevice();
  await server.signIn(device, { email });
  await server.setTier(email, tier);
  return device;
}

/** @param path tells the messages of this webhook from others */
async function makeWebhook(device: TestDevice, path: string): Promise<CreatedWebhook> {
  const answer = await device.call("POST", "/api/webhooks", { url: `http://${program.host}${path}` });
  expect(answer.status).toBe(201);
  return CreatedWebhook.parse(await answer.json());
}

async function listWebhooks(device: TestDevice): Promise<readonly Webhook[]> {
  return WebhookList.parse(await (await device.call("GET", "/api/webhooks")).json()).webhooks;
}

const messagesTo = (path: string) => program.messages.filter((message) => message.path === path);

async function refusalOf(answer: Response): Promise<[number, string, string]> {
  const { code, message } = ErrorBody.parse(await answer.json());
  return [answer.status, code, message];
}

it("tells a program how the jobs of its user ended, and nobody else's", async () => {
  const device = await signIn("ada@example.com");
  const { id, secret, ...webhook } = await makeWebhook(device, "/ada");
  await (await signIn("stranger@example.com")).convert(server.site.urlOf("rain"));
  await (await server.newDevice()).convert(server.site.urlOf("rain"));
  const live = await device.live();
  const done = await device.convert(server.site.urlOf("rain"));
  await live.untilStatus(done.id, "completed");
  // Its message is written after the push.
  await expect.poll(() => messagesTo("/ada").length).toBe(1);
  const failing = await device.convert(server.site.urlOf("base-private"));
  await live.untilStatus(failing.id, "failed");
  const canceled = await device.convert(`${server.site.urlOf("rain")}/slow`);
  await device.call("DELETE", `/api/conversions/${canceled.id}`);
  await expect.poll(() => messagesTo("/ada").length).toBe(2);
  const messages = messagesTo("/ada").map(({ body, signature }) => {
    stripe.webhooks.constructEvent(body, signature, secret);
    return JobMessage.parse(JSON.parse(body));
  });
  expect(messages.map(({ type, job }) => [type, job.id])).toEqual([
    ["job.completed", done.id],
    ["job.failed", failing.id],
  ]);
  const [completed] = messages;
  expect(completed?.job).toMatchObject({ status: "completed", downloadUrl: `/api/conversions/${done.id}/file` });
  await expect
    .poll(async () => (await listWebhooks(device))[0]?.deliveries.map(({ state }) => state))
    .toEqual(["delivered", "delivered"]);
  const text = await (await device.call("GET", "/api/webhooks")).text();
  expect(text).not.toContain(secret);
  expect(await listWebhooks(device)).toMatchObject([{ ...webhook, id, deliveries: [{ type: "job.failed" }, {}] }]);
});

it("sends a test message at once, and says what came of it", async () => {
  const device = await signIn("tester@example.com");
  const { id, secret } = await makeWebhook(device, "/test");
  const answer = await device.call("POST", `/api/webhooks/${id}/test`, {});
  expect(WebhookDelivery.parse(await answer.json())).toMatchObject({ type: "test", state: "delivered", status: 204 });
  const [message] = messagesTo("/test");
  stripe.webhooks.constructEvent(message?.body ?? "", message?.signature ?? "", secret);
  expect(TestMessage.parse(JSON.parse(message?.body ?? ""))).toMatchObject({ type: "test", id: message?.id });
  program.answerIf(({ path }) => path === "/test", 500);
  const failed = WebhookDelivery.parse(await (await device.call("POST", `/api/webhooks/${id}/test`, {})).json());
  expect(failed).toMatchObject({ state: "failed", status: 500, nextTryAt: null });
  expect((await listWebhooks(device))[0]?.deliveries.map(({ state }) => state)).toEqual(["failed", "delivered"]);
  const stranger = await signIn("other@example.com");
  expect((await stranger.call("POST", `/api/webhooks/${id}/test`, {})).status).toBe(404);
  expect((await stranger.call("DELETE", `/api/webhooks/${id}`)).status).toBe(404);
});

it("turns a webhook off that answers 410, and on again when its user wants it", async () => {
  const device = await signIn("gone@example.com");
  const { id } = await makeWebhook(device, "/gone");
  program.answerIf(({ path }) => path === "/gone" && messagesTo("/gone").length === 1, 410);
  await device.convert(server.site.urlOf("rain"));
  await expect.poll(() => listWebhooks(device)).toMatchObject([{ disabledReason: "gone" }]);
  const answer = await device.call("POST", `/api/webhooks/${id}/enable`, {});
  expect(Webhook.parse(await answer.json())).toMatchObject({ disabledReason: null });
  await device.convert(server.site.urlOf("rain"));
  await expect.poll(() => messagesTo("/gone").length).toBe(2);
});

it("is made only within ten minutes after its user was asked at the identity provider", async () => {
  const device = await signIn("borrowed@example.com");
  await server.ageSessions("borrowed@example.com", 10 * 60 * 1_000 + 1_000);
  const answer = await device.call("POST", "/api/webhooks", { url: program.url });
  expect((await refusalOf(answer)).slice(0, 2)).toEqual([403, "fresh_sign_in_required"]);
  expect(await listWebhooks(device)).toEqual([]);
});

it.each([
  "ftp://program.example/",
  "http://program.example/",
  "https://program.example:8443/",
  "https://n8n.example:5678/hook",
  "https://user:password@program.example/",
  "http://127.0.0.1/",
  // A host for videos.
  "http://127.0.0.1:8090/",
  "program.example",
])("refuses the address %s", async (url) => {
  const answer = await anybody.call("POST", "/api/webhooks", { url });
  expect(await refusalOf(answer)).toEqual([400, "bad_request", EXACT_SENTENCES.webhook_address]);
});

it("gives the free plan one webhook, and Pro ten", async () => {
  const device = await signIn("collector@example.com");
  await makeWebhook(device, "/many");
  const second = await device.call("POST", "/api/webhooks", { url: program.url });
  expect((await refusalOf(second)).slice(0, 2)).toEqual([402, "pro_required"]);
  await server.setTier("collector@example.com", "pro");
  for (let count = 1; count < 10; count += 1) await makeWebhook(device, "/many");
  const eleventh = await device.call("POST", "/api/webhooks", { url: program.url });
  expect((await refusalOf(eleventh)).slice(0, 2)).toEqual([409, "conflict"]);
  const [newest] = await listWebhooks(device);
  expect((await device.call("DELETE", `/api/webhooks/${newest?.id}`)).status).toBe(204);
  expect(await listWebhooks(device)).toHaveLength(9);
});

it.each([
  ["GET", "/api/webhooks"],
  ["POST", "/api/webhooks"],
  ["POST", "/api/webhooks/none/test"],
  ["POST", "/api/webhooks/none/enable"],
  ["DELETE", "/api/webhooks/none"],
])("refuses %s %s to every token", async (method, path) => {
  const answer = await fetch(server.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify({ url: program.url }) }),
  });
  expect((await refusalOf(answer)).slice(0, 2)).toEqual([403, "missing_scope"]);
});

it("exports webhooks without their secrets, and ends them and what waits with the account", async () => {
  const device = await signIn("leaver@example.com");
  const { id, secret, url } = await makeWebhook(device, "/leaver");
  program.answerIf(({ path }) => path === "/leaver", 503);
  await device.convert(server.site.urlOf("rain"));
  await expect.poll(async () => (await listWebhooks(device))[0]?.deliveries).toMatchObject([{ status: 503 }]);
  const exported = await (await device.call("GET", "/api/account/export")).text();
  expect(JSON.parse(exported)).toMatchObject({ webhooks: [{ id, url, deliveries: [{ type: "job.completed" }] }] });
  expect(exported).not.toContain(secret);
  const deletion = await device.call("DELETE", "/api/account", { confirmation: DELETE_ACCOUNT_PHRASE });
  expect(deletion.status).toBe(200);
  expect(await countStored()).toEqual([0, 0]);

  async function countStored(): Promise<number[]> {
    const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
    const database = databaseOf(connection);
    const counts = [
      await database.collection("webhooks").countDocuments({ url }),
      await database.collection("webhook_deliveries").countDocuments({ webhookId: id }),
    ];
    await connection.close();
    return counts;
  }
});
