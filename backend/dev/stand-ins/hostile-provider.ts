/**
 * An identity provider that a test tells what to say: forged, expired and foreign tokens, silence.
 * It signs everybody in at once, without a page.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";

const ACCESS_TOKEN = "for-the-profile-only";

export interface Behaviour {
  /** Laid over the claims of a token that is in order. */
  claims?: JWTPayload;
  /** Signed with a key that is not published. */
  isForged?: boolean;
  /** Not signed at all. */
  isUnsigned?: boolean;
  /** Paths that are never answered, or with this status. */
  silent?: string;
  broken?: { path: string; status: number; body?: unknown };
  /** What the userinfo endpoint says; unless it is set there is none. */
  profile?: Readonly<Record<string, unknown>>;
  /** Said instead of a code. */
  refusal?: string;
  /** Another state than the one that was given. */
  state?: string;
}

export interface HostileProvider {
  readonly issuer: string;
  behaviour: Behaviour;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startHostileProvider(clientId: string): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const stranger = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const nonces = new Map<string, string>();
  const http = createServer();
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const self: HostileProvider = {
    issuer,
    behaviour: {},
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };

  async function idToken(nonce: string): Promise<string> {
    const { claims, isForged, isUnsigned } = self.behaviour;
    const now = Math.floor(Date.now() / 1_000);
    const payload: JWTPayload = {
      iss: issuer,
      aud: clientId,
      sub: "someone",
      nonce,
      email: "someone@example.com",
      iat: now,
      exp: now + 300,
      ...claims,
    };
    if (isUnsigned) return `${encode({ alg: "none" })}.${encode(payload)}.`;
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .sign(isForged ? stranger.privateKey : privateKey);
  }

  http.on("request", (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", issuer);
      const { silent, broken, refusal, state, profile } = self.behaviour;
      const form = new URLSearchParams(await text(request));
      const json = (body: unknown, status = 200) => {
        response.writeHead(status, { "Content-Type": "application/json" });
        response.end(JSON.stringify(body));
      };
      if (url.pathname === silent) return;
      if (url.pathname === broken?.path) return json(broken.body ?? {}, broken.status);
      if (url.pathname === "/.well-known/openid-configuration")
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          ...(profile === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
          token_endpoint_auth_methods_supported: ["client_secret_post"],
        });
      if (url.pathname === "/keys") return json({ keys: [jwk] });
      if (url.pathname === "/userinfo")
        return request.headers.authorization === `Bearer ${ACCESS_TOKEN}`
          ? json(profile)
          : json({ error: "invalid_token" }, 401);
      if (url.pathname === "/authorize") {
        const code = crypto.randomUUID();
        nonces.set(code, url.searchParams.get("nonce") ?? "");
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("state", state ?? url.searchParams.get("state") ?? "");
        if (refusal === undefined) back.searchParams.set("code", code);
        else back.searchParams.set("error", refusal);
        response.writeHead(302, { Location: back.href });
        return void response.end();
      }
      return json({
        id_token: await idToken(nonces.get(form.get("code") ?? "") ?? ""),
        access_token: ACCESS_TOKEN,
        token_type: "Bearer",
      });
    })();
  });
  return self;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
