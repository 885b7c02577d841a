import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import pino from "pino";
import { afterEach, expect, it } from "vitest";
import { createEarlyServer } from "./early-server.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { logUnsentAnswers } from "./unsent-answers.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function ask(listening: Server): Promise<Response> {
  server = listening.listen(0, "127.0.0.1");
  await once(server, "listening");
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}
const headers = () => createSecurityHeaders({ isSecure: true, paymentPage: null, distFolder: "" });

it("keeps the security headers on an error answer of Koa itself", async () => {
  const app = new Koa();
  logUnsentAnswers(app, await headers(), pino({ level: "silent" }));
  app.use((ctx) => {
    ctx.set("X-Left-Over", "x");
    throw new Error("renderErrors has failed too");
  });
  const handle = app.callback();
  const answer = await ask(createServer((request, response) => void handle(request, response)));
  expect([answer.status, await answer.text(), answer.headers.get("x-left-over")]).toEqual([
    500,
    "Internal Server Error",
    null,
  ]);
  expect(Object.fromEntries(answer.headers)).toMatchObject(await headers());
});

it("sends the security headers with the page that is shown while the server starts", async () => {
  const answer = await ask(createEarlyServer(await headers()));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(Object.fromEntries(answer.headers)).toMatchObject(await headers());
});
