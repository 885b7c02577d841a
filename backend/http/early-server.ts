/** Holds the port while everything else is set up. */
import { createServer, type Server } from "node:http";
import type { SecurityHeaders } from "./security-headers.ts";

const PAGE = "<!doctype html><title>Tapedeck</title><p>Tapedeck is starting. This page comes back by itself.";

/** @returns a server, not yet listening, that asks everybody to come back in a second */
export function createEarlyServer(headers: SecurityHeaders): Server {
  return createServer((_request, response) => {
    response.writeHead(503, { ...headers, "Content-Type": "text/html; charset=utf-8", "Retry-After": "1", Refresh: "1" });
    response.end(PAGE);
  });
}
