/** The site of an operator without a mail server: its pages, and the calls of the test server. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import Koa from "koa";
import type { ViewerState } from "../../backend/http/middleware/identify.ts";
import { openPageFiles } from "../../backend/http/pages/page-files.ts";
import { serveAssets, servePage } from "../../backend/http/pages/page.ts";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import { serverOrigin, SUPPORT_EMAIL, TAKEDOWN_EMAIL } from "./server.ts";

export interface SiteWithoutForm extends Disposable {
  readonly origin: string;
}

export async function openSiteWithoutForm(): Promise<SiteWithoutForm> {
  const app = new Koa<ViewerState>();
  const server = createServer((incoming, answer) => {
    if (!incoming.url?.startsWith("/api/")) return void app.callback()(incoming, answer);
    // A connection of its own: a kept one may be closed by the server at the moment of the next call.
    const options = { headers: incoming.headers, agent: false };
    const call = request(serverOrigin() + incoming.url, options, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const dist = path.join(REPOSITORY_ROOT, "frontend", "dist");
  const contacts = { supportEmail: SUPPORT_EMAIL, takedownEmail: TAKEDOWN_EMAIL, hasForm: false };
  const pages = openPageFiles(dist, contacts, origin);
  app.use(serveAssets(dist, pages));
  app.use(async (ctx, next) => {
    ctx.state.viewer = { deviceId: "a-device", userId: null, tier: "free" };
    await next();
  });
  app.use(servePage(pages));
  return {
    origin,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
