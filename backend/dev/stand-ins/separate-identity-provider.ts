/** The stand-in for the identity provider on its own address, as a real provider has. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CALLBACK_PATH } from "../../http/sign-in/code-flow.ts";
import { createIdentityProvider } from "./identity-provider/identity-provider.ts";

/**
 * Starts the provider on a free port of 127.0.0.1, in this process.
 * @param siteUrl address of the site, to which a sign-in returns
 * @param dataDir where the provider stores its keys
 * @param started closes the provider's server when disposed
 * @returns environment variables of a server that signs in there
 */
export async function startSeparateIdentityProvider(
  siteUrl: string,
  dataDir: string,
  started: AsyncDisposableStack,
): Promise<Record<"OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET", string>> {
  const http = createServer((request, response) => provider.handle(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  started.defer(async () => {
    http.closeAllConnections();
    await new Promise((closed) => http.close(closed));
  });
  const publicUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = await createIdentityProvider({ publicUrl, dataDir, callbackPath: CALLBACK_PATH, siteUrl });
  const { issuer, clientId, clientSecret } = provider.signIn;
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
}
