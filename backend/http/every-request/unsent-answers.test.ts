import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import pino from "pino";
import { afterEach, expect, it } from "vitest";
import { createStartingServer } from "./starting-server.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { logUnsentAnswers } from "./unsent-answers.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function ask(listening: Server, asked: Record<string, string> = {}): Promise<Response> {
  server = listening.listen(0, "127.0.0.1");
  await once(server, "listening");
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers: asked });
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

it.each([
  [{}, "en", "Tapedeck is starting. This page comes back by itself."],
  [{ "accept-language": "de-CH, en" }, "de", "Tapedeck startet. Diese Seite kommt von selbst wieder."],
  [{ cookie: "tapedeck.language=es", "accept-language": "de" }, "es", "Tapedeck se está iniciando."],
])("shows the page of the start by %j in %s", async (asked: Record<string, string>, language, text) => {
  const answer = await ask(createStartingServer({}), asked);
  expect(await answer.text()).toMatch(new RegExp(`<html lang="${language}" dir="ltr">.*${text}`));
  expect([answer.headers.get("vary"), answer.headers.get("content-language")]).toEqual([
    "Cookie, Accept-Language",
    language,
  ]);
});

it("sends the security headers with the page that is shown while the server starts", async () => {
  const answer = await ask(createStartingServer(await headers()));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(Object.fromEntries(answer.headers)).toMatchObject(await headers());
});
