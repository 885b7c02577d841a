/** The authorization code flow, by grant: PKCE, state and nonce on the way out, the code for tokens on the way back. */
import grant from "grant";
import type { Context } from "koa";
import { z } from "zod";
import type { Identity } from "../../domain/accounts/sign-in.ts";
import { SignInFailure } from "./failure.ts";
import { createOpenId, type Metadata } from "./openid.ts";
import type { SignInSettings } from "./settings.ts";

export const SIGN_IN_PREFIX = "/api/sign-in";
const START_PATH = `${SIGN_IN_PREFIX}/provider`;
export const CALLBACK_PATH = `${START_PATH}/callback`;

/** What is remembered in the session between leaving and coming back. */
const Pending = z.object({ state: z.string(), nonce: z.string() });
const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });

export interface CodeFlow {
  /** Sends the browser to the provider. @throws SignInFailure */
  begin(ctx: Context): Promise<void>;
  /** Who has come back. @throws SignInFailure */
  complete(ctx: Context): Promise<Identity>;
}

export function createCodeFlow(settings: SignInSettings, publicUrl: string, timeoutMs: number): CodeFlow {
  const openId = createOpenId(settings, timeoutMs);

  const middleware = (metadata: Metadata) =>
    grant.koa({
      config: {
        defaults: { origin: new URL(publicUrl).origin, prefix: SIGN_IN_PREFIX },
        provider: {
          oauth: 2,
          authorize_url: metadata.authorization_endpoint,
          access_url: metadata.token_endpoint,
          key: settings.clientId,
          secret: settings.clientSecret,
          scope: ["openid", "email", "profile"],
          scope_delimiter: " ",
          state: true,
          nonce: true,
          pkce: true,
          // The tokens are looked at once and kept nowhere.
          transport: "state",
          ...(metadata.token_endpoint_auth_methods_supported?.includes("client_secret_post")
            ? {}
            : { token_endpoint_auth_method: "client_secret_basic" }),
          custom_params: { ...settings.authorizeParams },
        },
      },
      request: { timeout: timeoutMs },
    });

  return {
    async begin(ctx) {
      const flow = middleware(await openId.metadata());
      // grant goes by the address: the one people know is shorter.
      ctx.originalUrl = START_PATH;
      ctx.request.query = {};
      await flow(ctx, () => Promise.resolve());
    },

    async complete(ctx) {
      const pending = Pending.safeParse(ctx.session?.["grant"]);
      if (!pending.success) throw new SignInFailure("expired", "nobody here has begun to sign in");
      // Before anything is used up: an answer that is not ours leaves the true one its chance.
      if (ctx.query["state"] !== pending.data.state)
        throw new SignInFailure("invalid", "the answer belongs to another sign-in");
      const { code, error } = ctx.query;
      if (error === undefined && (typeof code !== "string" || code === ""))
        throw new SignInFailure("invalid", "the answer has no code");
      const flow = middleware(await openId.metadata());
      await within(
        flow(ctx, () => Promise.resolve()),
        timeoutMs,
      );
      const tokens = readTokens(z.object({ response: z.unknown() }).parse(ctx.state["grant"]).response);
      return openId.verify(tokens.id_token, pending.data.nonce, tokens.access_token);
    },
  };
}

function readTokens(response: unknown): z.infer<typeof Tokens> {
  const tokens = Tokens.safeParse(response);
  if (tokens.success) return tokens.data;
  const { error } = z.object({ error: z.unknown() }).catch({ error: undefined }).parse(response);
  if (error === "access_denied") throw new SignInFailure("refused", "the provider was told no");
  // The token endpoint's own refusal, RFC 6749 section 5.2; a code that was waited with too long is one.
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

/** grant's own timeout is between two bytes; this one is for the whole. */
async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new SignInFailure("unavailable", "the provider answers too late")),
    timeoutMs,
  );
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
