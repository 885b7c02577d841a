/** Callers that close the connection while the checks before a route still run. */
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa, { type Context } from "koa";
import { afterEach, expect, it } from "vitest";
import { answerUnlessClosed } from "./abort-on-close.ts";
import type { ViewerState } from "./identify.ts";
import { limitDownloads } from "./limit-downloads.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Named by a proxy, because a closed connection has no address any more. */
const headers = { "x-forwarded-for": "198.51.100.1" };

async function listen(app: Koa<ViewerState>): Promise<string> {
  const answer = app.callback();
  server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a call that is closed before it gets past the checks. Resolves when the application is done with it. */
async function callAndLeave(app: Koa<ViewerState>): Promise<{ origin: string; ctx: Context }> {
  const done = Promise.withResolvers<Context>();
  const arrived = Promise.withResolvers<void>();
  app.middleware.unshift(async (ctx, next) => {
    if (ctx.path === "/left") {
      arrived.resolve();
      await once(ctx.res, "close");
    }
    await next();
    if (ctx.path === "/left") done.resolve(ctx);
  });
  const origin = await listen(app);
  const call = request(`${origin}/left`, { headers }).on("error", () => undefined);
  call.end();
  await arrived.promise;
  call.destroy();
  return { origin, ctx: await done.promise };
}

it("a caller that has left takes no place in the limit of downloads", async () => {
  const app = new Koa<ViewerState>({ proxy: true });
  app.use(limitDownloads(1));
  app.use((ctx) => void (ctx.body = "a file"));
  const { origin } = await callAndLeave(app);
  const next = await fetch(origin, { headers });
  expect([next.status, await next.text()]).toEqual([200, "a file"]);
});

it("no work is done for a caller that has left", async () => {
  const app = new Koa<ViewerState>();
  app.use((ctx) =>
    answerUnlessClosed(ctx, (closed) => {
      closed.throwIfAborted();
      ctx.body = "work";
      return Promise.resolve();
    }),
  );
  const { ctx } = await callAndLeave(app);
  expect([ctx.status, ctx.body]).toEqual([499, undefined]);
});
