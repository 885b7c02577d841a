/** The authorization code flow with the library grant: PKCE, state and nonce, then the code is exchanged for tokens. */
import grant from "grant";
import type { Context, Middleware } from "koa";
import { z } from "zod";
import { within } from "../../../common/waiting.ts";
import { sessionOf } from "../middleware/session.ts";
import { SignInFailure } from "./failure.ts";
import { OpenIdProvider, type Metadata, type VerifiedSignIn } from "./openid.ts";
import type { SignInSettings } from "./settings.ts";

export const SIGN_IN_PREFIX = "/api/sign-in";
const START_PATH = `${SIGN_IN_PREFIX}/provider` as const;
export const CALLBACK_PATH = `${START_PATH}/callback` as const;

/** OpenID Connect Core 1.0, section 3.1.2.1. With `max_age` the token states when the user was asked. */
const FRESH_PARAMS = { prompt: "login", max_age: "0" } as const;

/** What grant keeps in the session until the browser comes back from the provider. */
const Pending = z.object({ state: z.string(), nonce: z.string() });
const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });

export class CodeFlow {
  readonly #settings: SignInSettings;
  readonly #publicUrl: string;
  readonly #timeoutMs: number;
  readonly #provider: OpenIdProvider;

  /** @param timeoutMs of each request to the provider */
  constructor(settings: SignInSettings, publicUrl: string, timeoutMs: number) {
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#timeoutMs = timeoutMs;
    this.#provider = new OpenIdProvider(settings, timeoutMs);
  }

  /**
   * Redirects the browser to the provider.
   * @param isFresh the provider must ask the user, even if it knows the browser
   * @throws SignInFailure
   */
  async begin(ctx: Context, isFresh: boolean): Promise<void> {
    const params = isFresh ? FRESH_PARAMS : {};
    const middleware = this.#grantMiddleware(await this.#provider.metadata(), params);
    // grant expects its own path; the public one is shorter.
    ctx.originalUrl = START_PATH;
    ctx.request.query = {};
    await middleware(ctx, () => Promise.resolve());
  }

  /**
   * Handles the redirect back from the provider. An answer to the pending sign-in uses it up, also when it fails.
   * @returns the identity that the provider confirms, and when it asked the user
   * @throws SignInFailure
   */
  async complete(ctx: Context): Promise<VerifiedSignIn> {
    const session = sessionOf(ctx);
    const pending = Pending.safeParse(session.grant);
    if (!pending.success) throw new SignInFailure("expired", "this browser has not begun to sign in");
    // Checked first: a foreign answer must not use up the pending sign-in.
    if (ctx.query["state"] !== pending.data.state)
      throw new SignInFailure("invalid", "the answer belongs to another sign-in");
    try {
      return await this.#exchange(ctx, pending.data.nonce);
    } finally {
      delete session.grant;
    }
  }

  /** Exchanges the code of an answer for tokens, and verifies them. @throws SignInFailure */
  async #exchange(ctx: Context, nonce: string): Promise<VerifiedSignIn> {
    const { code, error } = ctx.query;
    if (error === undefined && (typeof code !== "string" || code === ""))
      throw new SignInFailure("invalid", "the answer has no code");
    const middleware = this.#grantMiddleware(await this.#provider.metadata());
    await withDeadline(
      middleware(ctx, () => Promise.resolve()),
      this.#timeoutMs,
    );
    const tokens = readTokens(z.object({ response: z.unknown() }).parse(ctx.state["grant"]).response);
    return this.#provider.verify(tokens.id_token, nonce, tokens.access_token);
  }

  #grantMiddleware(metadata: Metadata, params: Readonly<Record<string, string>> = {}): Middleware {
    const { clientId, clientSecret, authorizeParams } = this.#settings;
    const acceptsPost = metadata.token_endpoint_auth_methods_supported?.includes("client_secret_post");
    return grant.koa({
      config: {
        defaults: { origin: new URL(this.#publicUrl).origin, prefix: SIGN_IN_PREFIX },
        provider: {
          oauth: 2,
          authorize_url: metadata.authorization_endpoint,
          access_url: metadata.token_endpoint,
          key: clientId,
          secret: clientSecret,
          scope: ["openid", "email", "profile"],
          scope_delimiter: " ",
          state: true,
          nonce: true,
          pkce: true,
          // The tokens are used in this request only and not stored.
          transport: "state",
          ...(acceptsPost ? {} : { token_endpoint_auth_method: "client_secret_basic" }),
          custom_params: { ...authorizeParams, ...params },
        },
      },
      request: { timeout: this.#timeoutMs },
    });
  }
}

function readTokens(response: unknown): z.infer<typeof Tokens> {
  const tokens = Tokens.safeParse(response);
  if (tokens.success) return tokens.data;
  const { error } = z.object({ error: z.unknown() }).catch({ error: undefined }).parse(response);
  if (error === "access_denied") throw new SignInFailure("refused", "the user declined at the provider");
  // An error of the token endpoint (RFC 6749, section 5.2), for example because the code has expired.
  const refusal = z.object({ error: z.string() }).safeParse(error);
  if (refusal.success)
    throw new SignInFailure(
      refusal.data.error === "invalid_grant" ? "expired" : "unavailable",
      `the provider answers ${refusal.data.error}`,
    );
  if (typeof error === "string" && /^[a-z_]+$/.test(error))
    throw new SignInFailure("refused", `the provider answers ${error}`);
  if (typeof error === "string" && error.startsWith("Grant:")) throw new SignInFailure("invalid", error);
  throw new SignInFailure(
    "unavailable",
    `the provider gives no tokens${typeof error === "string" ? ` (${error})` : ""}`,
  );
}

/** The timeout of grant covers the time between two bytes only; this one covers the whole exchange. */
async function withDeadline(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  await within(timeoutMs, work, () => {
    throw new SignInFailure("unavailable", "the provider did not answer in time");
  });
}
