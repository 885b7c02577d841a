/** The security headers of every answer: of routes, sockets, the development sign-in and refusals. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import helmet from "koa-helmet";
import { contentPolicy, permissionsPolicy, type PaymentPage } from "./content-policy.ts";
import { inlineScriptSources } from "../pages/page.ts";

export type SecurityHeaders = Readonly<Record<string, string>>;

export interface SecurityHeaderSettings {
  /** Whether the public address is https. */
  readonly isSecure: boolean;
  readonly paymentPage: PaymentPage | null;
  /** The folder of the built pages, whose inline scripts are allowed. */
  readonly distFolder: string;
}

/** @returns header values by lower-case name */
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
    // Our pages get the referrer of other pages of ours; other sites get none.
    referrerPolicy: { policy: "same-origin" },
  });
  // Helmet writes its headers to a response; this one is never sent.
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  await middleware(new Koa().createContext(request, response), () => Promise.resolve());
  response.setHeader("permissions-policy", permissionsPolicy(paymentPage));
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
