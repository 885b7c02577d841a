/** A server whose identity provider does what a test wants, for the tests of hostile providers. */
import { startHostileProvider, type HostileProvider } from "../stand-ins/hostile-provider.ts";
import { startTestServer, walkThroughSignIn, type TestServer } from "./test-server.ts";

export const HOSTILE_CLIENT = "our-client";
/** Long enough for a provider that answers, even on a busy machine. */
export const PATIENT_MS = 30_000;
export const LONG_AGO = Math.floor(Date.now() / 1_000) - 3_600;

export async function startSignInBeside(provider: HostileProvider): Promise<TestServer> {
  return startTestServer({
    hasExtractor: false,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: HOSTILE_CLIENT,
    OIDC_CLIENT_SECRET: "secret",
    settings: { signIn: { timeoutMs: PATIENT_MS } },
  });
}

export const openHostileProvider = (): Promise<HostileProvider> => startHostileProvider(HOSTILE_CLIENT);

/** @returns where a new browser comes out, and whether it is signed in there */
export async function trySignIn(server: TestServer): Promise<{ end: string; status: number }> {
  const device = await server.newDevice();
  const end = await walkThroughSignIn(device, { email: "unused@example.com" });
  return { end, status: (await device.call("GET", "/api/auth/user")).status };
}
