/** The headers that every answer carries, whoever writes it: routes, sockets, sign-in page, refusals. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import helmet from "koa-helmet";
import { contentPolicy, type PaymentPage } from "./content-policy.ts";
import { inlineScriptSources } from "../pages/page.ts";

export type SecurityHeaders = Readonly<Record<string, string>>;

export interface SecurityHeaderSettings {
  /** Whether the site is on https. */
  readonly isSecure: boolean;
  readonly paymentPage: PaymentPage | null;
  /** The built pages, whose inline scripts are allowed. */
  readonly distFolder: string;
}

/** @returns header values by lower-case name, the same for every answer */
export async function createSecurityHeaders({
  isSecure,
  paymentPage,
  distFolder,
}: SecurityHeaderSettings): Promise<SecurityHeaders> {
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: contentPolicy({ paymentPage, inlineScripts: inlineScriptSources(distFolder) }),
    },
    strictTransportSecurity: isSecure,
    crossOriginEmbedderPolicy: false,
    // Our own pages learn which of our pages a request came from; other sites learn nothing.
    referrerPolicy: { policy: "same-origin" },
  });
  // Helmet writes to a response, so it gets one that is never sent.
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  await middleware(new Koa().createContext(request, response), () => Promise.resolve());
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
