/**
 * An identity provider with faults that a test chooses: forged, expired or foreign tokens, no answer.
 * It signs users in at once, without a page.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT, type GenerateKeyPairResult, type JWTPayload } from "jose";

const ACCESS_TOKEN = "for-the-profile-only";
const KEY_ID = "one";

export interface Behaviour {
  /** Replaces claims of a correct token. */
  claims?: JWTPayload;
  /** Signed with a key that is not published. */
  isForged?: boolean;
  /** Not signed at all. */
  isUnsigned?: boolean;
  /** A path that is never answered. */
  silent?: string;
  /** A path that is answered with this status and body. */
  broken?: { path: string; status: number; body?: unknown };
  /** Answer of the userinfo endpoint; without it there is no such endpoint. */
  profile?: Readonly<Record<string, unknown>>;
  /** Error code that is sent instead of a code. */
  refusal?: string;
  /** Sent instead of the state of the request. */
  state?: string;
}

/** @returns a provider on a free port that answers as its `behaviour` says */
export async function startHostileProvider(clientId: string): Promise<HostileProvider> {
  const keys = await generateKeyPair("RS256");
  const unpublishedKeys = await generateKeyPair("RS256");
  const provider = new HostileProvider(clientId, keys, unpublishedKeys.privateKey);
  await provider.listen();
  return provider;
}

export class HostileProvider implements AsyncDisposable {
  /** A test changes it at any time. */
  behaviour: Behaviour = {};
  readonly #clientId: string;
  readonly #keys: GenerateKeyPairResult;
  readonly #unpublishedKey: GenerateKeyPairResult["privateKey"];
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  /** By code. */
  readonly #nonces = new Map<string, string>();

  constructor(clientId: string, keys: GenerateKeyPairResult, unpublishedKey: GenerateKeyPairResult["privateKey"]) {
    this.#clientId = clientId;
    this.#keys = keys;
    this.#unpublishedKey = unpublishedKey;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.issuer);
    const { silent, broken, profile } = this.behaviour;
    const form = new URLSearchParams(await text(request));
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === silent) return;
    if (url.pathname === broken?.path) return json(broken.body ?? {}, broken.status);
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return json(this.#discovery());
      case "/keys": {
        const jwk = await exportJWK(this.#keys.publicKey);
        return json({ keys: [{ ...jwk, kid: KEY_ID, alg: "RS256", use: "sig" }] });
      }
      case "/userinfo": {
        const isAllowed = request.headers.authorization === `Bearer ${ACCESS_TOKEN}`;
        return isAllowed ? json(profile) : json({ error: "invalid_token" }, 401);
      }
      case "/authorize":
        response.writeHead(302, { Location: this.#authorize(url.searchParams) });
        return void response.end();
      default: {
        const idToken = await this.#idToken(this.#nonces.get(form.get("code") ?? "") ?? "");
        return json({ id_token: idToken, access_token: ACCESS_TOKEN, token_type: "Bearer" });
      }
    }
  }

  #discovery() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(this.behaviour.profile !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    };
  }

  /** @returns the address that the browser is sent back to */
  #authorize(query: URLSearchParams): string {
    const { refusal, state } = this.behaviour;
    const code = crypto.randomUUID();
    this.#nonces.set(code, query.get("nonce") ?? "");
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("state", state ?? query.get("state") ?? "");
    if (refusal === undefined) back.searchParams.set("code", code);
    else back.searchParams.set("error", refusal);
    return back.href;
  }

  async #idToken(nonce: string): Promise<string> {
    const { claims, isForged, isUnsigned } = this.behaviour;
    const now = Math.floor(Date.now() / 1_000);
    const payload: JWTPayload = {
      iss: this.issuer,
      aud: this.#clientId,
      sub: "someone",
      nonce,
      email: "someone@example.com",
      iat: now,
      exp: now + 300,
      ...claims,
    };
    if (isUnsigned) return `${encode({ alg: "none" })}.${encode(payload)}.`;
    return await new SignJWT(payload)
      .setProtectedHeader({ alg: "RS256", kid: KEY_ID })
      .sign(isForged ? this.#unpublishedKey : this.#keys.privateKey);
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
