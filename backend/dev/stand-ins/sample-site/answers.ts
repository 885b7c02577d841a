/** Simple answers of the sample site. Each function returns an {@link Answer} that works for any page. */
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Address, Answer, Exchange, PageContext } from "./exchange.ts";

/** Answers every request with this status and the number as text. */
export function status(code: number, headers: OutgoingHttpHeaders = {}): Answer {
  return ({ response }) => {
    response.writeHead(code, { "content-type": "text/plain", ...headers }).end(`${code}\n`);
  };
}

export function redirect(to: Address): Answer {
  return ({ response, context }) => {
    response.writeHead(302, { location: to(context) }).end();
  };
}

/** Gives `refusal` for the first `times` requests and `answer` from then on. */
export function afterRefusals(times: number, refusal: Answer, answer: Answer): Answer {
  return (exchange) => (exchange.nth <= times ? refusal(exchange) : answer(exchange));
}

/** Answers with a text, or with the bytes of one, sent whole and at once. */
export function text(type: string, body: string | Uint8Array | ((exchange: Exchange) => string)): Answer {
  return (exchange) => {
    const content = typeof body === "function" ? body(exchange) : body;
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    exchange.response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    exchange.response.end(exchange.request.method === "HEAD" ? undefined : bytes);
  };
}

/** Answers with a manifest; its addresses depend on the port of the site. */
export function manifest(type: string, body: (context: PageContext) => string): Answer {
  return text(type, ({ context }) => body(context));
}

/** Sends nothing before the test releases the page. */
export function afterRelease(answer: Answer): Answer {
  return async (exchange) => {
    await exchange.released;
    await answer(exchange);
  };
}

/**
 * Sends a body at the speed of the reader. A reader that disconnects early is no error.
 * @param endResponse false leaves the response open after the body
 */
export async function send(response: ServerResponse, body: Readable, endResponse = true): Promise<void> {
  try {
    await pipeline(body, response, { end: endResponse });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE" || response.destroyed) return;
    throw error;
  }
}
