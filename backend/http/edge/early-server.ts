/** Listens on the port while the server starts. */
import { createServer, type Server } from "node:http";
import Koa from "koa";
import { negotiateLanguage } from "../pages/page-language.ts";
import { COME_BACK_HEADERS, comeBackPage } from "./come-back-page.ts";
import type { SecurityHeaders } from "./security-headers.ts";

/** Node looks for slow connections every 30 s otherwise. */
const CONNECTIONS_CHECK_MS = 1_000;

/** @returns a server, not yet listening, that answers every request with 503 and a page that reloads itself */
export function createEarlyServer(headers: SecurityHeaders): Server {
  const app = new Koa();
  return createServer({ connectionsCheckingInterval: CONNECTIONS_CHECK_MS }, (request, response) => {
    const language = negotiateLanguage(app.createContext(request, response));
    response.writeHead(503, { ...headers, ...COME_BACK_HEADERS });
    response.end(comeBackPage("starting", language));
  });
}
