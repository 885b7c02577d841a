/**
 * The hosted sign-in of a machine that has none: a true OpenID Connect provider below a path of our
 * own site, where everybody may be whoever they like. Never part of production.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider, errors } from "oidc-provider";
import { z } from "zod";
import { UserError } from "../../../../common/errors.ts";
import { readBody } from "../../../http/middleware/read-body.ts";
import type { IdentityProvider } from "../../../runtime/runtime.ts";
import { loadProviderKeys } from "./keys.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";
import { renderProblemPage, renderSignInPage } from "./page.ts";

const PREFIX = "/development-sign-in";
const CLIENT_ID = "tapedeck";
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const MAX_FORM_BYTES = 10_000;

const Person = z.object({
  email: z.email("Please enter an email address.").max(254),
  firstName: z.string().trim().max(100).default(""),
});
type Person = z.infer<typeof Person>;

/**
 * @param options.callbackPath where the site takes the browser back @param options.siteUrl the site's address where
 * that is not the provider's own
 */
export async function createIdentityProvider(options: {
  publicUrl: string;
  dataDir: string;
  callbackPath: string;
  siteUrl?: string;
}): Promise<IdentityProvider> {
  const { publicUrl, dataDir, callbackPath, siteUrl = publicUrl } = options;
  const keys = await loadProviderKeys(dataDir);
  const people = new Map<string, Person>();
  const origin = new URL(publicUrl).origin;
  const issuer = `${origin}${PREFIX}`;
  /** Where the site offers to begin again. */
  const backTo = new URL("/login", siteUrl).href;

  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: keys.clientSecret,
        redirect_uris: [`${new URL(siteUrl).origin}${callbackPath}`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [keys.jwk] },
    cookies: {
      keys: [keys.cookieKey],
      long: { signed: true, sameSite: "lax" },
      short: { signed: true, sameSite: "lax" },
    },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email"], profile: ["given_name"] },
    // The address belongs into the token itself, as with the well-known providers.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: MINUTE_SECONDS,
      Grant: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    interactions: { url: (_ctx, interaction) => `${PREFIX}/interaction/${interaction.uid}` },
    findAccount: (_ctx, id) => {
      const person = people.get(id);
      return (
        person && {
          accountId: id,
          claims: () => ({
            sub: id,
            email: person.email,
            ...(person.firstName === "" ? {} : { given_name: person.firstName }),
          }),
        }
      );
    },
    // Whoever signs in here has agreed: there is no third party to share anything with.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      if (!client || session?.accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    renderError: (ctx, _out, error) => {
      ctx.type = "html";
      ctx.set("Cache-Control", "no-store");
      ctx.body = renderProblemPage({ problem: problemOf(error), backTo });
    },
  });
  const answer = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const interaction = await provider.interactionDetails(request, response);
    const { uid } = interaction;
    const action = `${PREFIX}/interaction/${uid}`;
    if (request.url?.endsWith("/cancel")) {
      await provider.interactionFinished(request, response, {
        error: "access_denied",
        error_description: "Sign-in was cancelled.",
      });
      return;
    }
    const show = (status: number, more: { problem?: string; email?: string; firstName?: string } = {}) => {
      response.writeHead(status, {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-store",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      });
      response.end(renderSignInPage({ action, cancel: `${action}/cancel`, ...more }));
    };
    if (request.method !== "POST") return show(200);
    const form = Object.fromEntries(new URLSearchParams(await readBody(request, MAX_FORM_BYTES)));
    const person = Person.safeParse(form);
    if (!person.success)
      return show(400, {
        problem: person.error.issues[0]?.message ?? "Please try again.",
        email: form["email"] ?? "",
        firstName: form["firstName"] ?? "",
      });
    const accountId = createHash("sha256").update(person.data.email.toLowerCase()).digest("base64url");
    people.set(accountId, person.data);
    if (interaction.session !== undefined && interaction.session.accountId !== accountId) {
      // Somebody else signs in where another person did: without this the library first asks to sign that person out.
      await (await provider.Session.findByUid(interaction.session.uid))?.destroy();
      delete interaction.session;
      await interaction.persist();
    }
    await provider.interactionFinished(request, response, { login: { accountId, remember: false } });
  }

  return {
    prefix: PREFIX,
    // Whoever signs in is asked who they are, each time: that is what trying out wants.
    signIn: { issuer, clientId: CLIENT_ID, clientSecret: keys.clientSecret, authorizeParams: { prompt: "login" } },
    handle(request, response) {
      const path = (request.url ?? "").slice(PREFIX.length);
      if (!path.startsWith("/interaction/")) {
        Object.assign(request, { originalUrl: request.url });
        request.url = path;
        void answer(request, response);
        return;
      }
      interact(request, response).catch((error: unknown) => {
        if (!response.headersSent)
          response.writeHead(statusOf(error), {
            "Content-Type": "text/html; charset=utf-8",
            "Cache-Control": "no-store",
          });
        response.end(renderProblemPage({ problem: problemOf(error), backTo }));
      });
    },
  };
}

/** What went wrong, as a sentence for the person who signs in. */
function problemOf(error: unknown): string {
  if (error instanceof errors.SessionNotFound)
    return "This sign-in is over, or it was begun in another browser. Please begin again.";
  if (error instanceof UserError && error.code === "payload_too_large")
    return "What was typed is too long. Please begin again.";
  if (error instanceof errors.OIDCProviderError || error instanceof UserError)
    return "This sign-in was not begun by Tapedeck, or its address is incomplete. Please begin again.";
  return "Something went wrong while signing in. Please begin again.";
}

function statusOf(error: unknown): number {
  if (error instanceof UserError) return error.code === "payload_too_large" ? 413 : 400;
  return error instanceof errors.OIDCProviderError ? error.statusCode : 500;
}
