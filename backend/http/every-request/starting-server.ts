/** Listens on the port while the server starts. */
import { createServer, type Server } from "node:http";
import Koa from "koa";
import { negotiateLanguage } from "../pages/page-language.ts";
import { COME_BACK_HEADERS, comeBackPage } from "./come-back-page.ts";
import type { SecurityHeaders } from "./security-headers.ts";

/** Node looks for slow connections every 30 s otherwise. */
const CONNECTIONS_CHECK_MS = 1_000;

/**
 * @param checkMs how often connections are looked through for slow ones
 * @returns a server, not yet listening, that answers every request with 503 and a page that reloads itself
 */
export function createStartingServer(headers: SecurityHeaders, checkMs = CONNECTIONS_CHECK_MS): Server {
  const app = new Koa();
  return createServer({ connectionsCheckingInterval: checkMs }, (request, response) => {
    const language = negotiateLanguage(app.createContext(request, response));
    response.writeHead(503, { ...headers, ...COME_BACK_HEADERS });
    response.end(comeBackPage("starting", language));
  });
}
