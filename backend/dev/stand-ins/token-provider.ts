/**
 * A stand-in for the server of the bgutil token provider, with the two requests that its plugin makes. Like the real
 * one, it asks the video site through the proxy that the plugin names.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { ProxyAgent, request as fetchUrl } from "undici";
import { z } from "zod";
import { TOKEN_PATH } from "./youtube-site/tokens.ts";

const TokenRequest = z.object({ content_binding: z.string(), proxy: z.string() });

export interface TokenProviderStandIn extends AsyncDisposable {
  readonly address: string;
  /** Number of tokens that it gave. */
  readonly given: number;
  /** Answers that it has no token, from now on. */
  isBroken: boolean;
}

interface Options {
  /** That the provider says it has. */
  readonly version: string;
  /** PEM file of the video site. */
  readonly certificate: string;
  /** 0: a free one. */
  readonly port?: number;
}

async function askSite(proxy: string, certificate: string): Promise<string> {
  const dispatcher = new ProxyAgent({ uri: proxy, requestTls: { ca: certificate } });
  try {
    const url = `https://www.youtube.com${TOKEN_PATH}`;
    const { body } = await fetchUrl(url, { method: "POST", body: "{}", dispatcher });
    return z.object({ token: z.string() }).parse(await body.json()).token;
  } finally {
    await dispatcher.close();
  }
}

export async function startTokenProvider({ version, certificate, port = 0 }: Options): Promise<TokenProviderStandIn> {
  const state = { given: 0, isBroken: false };
  const server = createServer((request, response) => {
    const answer = (body: object, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const giveToken = async (): Promise<void> => {
      const { proxy, content_binding: contentBinding } = TokenRequest.parse(await json(request));
      if (state.isBroken) return answer({ error: "no integrity token" }, 500);
      const poToken = await askSite(proxy, certificate);
      state.given += 1;
      answer({ contentBinding, poToken, expiresAt: new Date(Date.now() + 21_600_000).toISOString() });
    };
    if (request.url === "/ping") answer({ server_uptime: process.uptime(), version });
    else if (request.url === "/get_pot")
      giveToken().catch((error: unknown) => answer({ error: `no token: ${String(error)}` }, 500));
    else answer({ error: "not here" }, 404);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get given() {
      return state.given;
    },
    get isBroken() {
      return state.isBroken;
    },
    set isBroken(isBroken) {
      state.isBroken = isBroken;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
