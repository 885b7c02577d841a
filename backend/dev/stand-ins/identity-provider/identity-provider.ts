/**
 * A real OpenID Connect provider below a path of our own site, for development: anyone can sign in with any email
 * address. Never part of production.
 */
import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider, errors, type Configuration } from "oidc-provider";
import { z } from "zod";
import { UserError } from "../../../../common/errors.ts";
import { readBody } from "../../../http/middleware/read-body.ts";
import type { IdentityProvider } from "../../../runtime/runtime.ts";
import { loadProviderKeys, type ProviderKeys } from "./keys.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";
import { renderProblemPage, renderSignInPage } from "./page.ts";

const PREFIX = "/development-sign-in";
const CLIENT_ID = "tapedeck";
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const MAX_FORM_BYTES = 10_000;
const PAGE_HEADERS = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };

const Person = z.object({
  email: z.email("Please enter an email address.").max(254),
  firstName: z.string().trim().max(100).default(""),
});
type Person = z.infer<typeof Person>;

/**
 * @param options.publicUrl address of the provider
 * @param options.dataDir where the provider stores its keys
 * @param options.callbackPath path of the site to which a sign-in returns
 * @param options.siteUrl address of the site, if it is not the provider's
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
  const issuer = `${new URL(publicUrl).origin}${PREFIX}`;
  const backTo = new URL("/login", siteUrl).href;
  const redirectUri = `${new URL(siteUrl).origin}${callbackPath}`;
  const provider = new Provider(issuer, configure({ keys, people, redirectUri, backTo }));
  // Without this listener Koa prints a stack when a browser closes the connection during the answer.
  const emitter: EventEmitter = provider;
  emitter.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ECONNRESET") provider.onerror(error);
  });
  const callback = provider.callback();
  return {
    prefix: PREFIX,
    // prompt=login: every sign-in asks for an address, so that a developer can change between users.
    signIn: { issuer, clientId: CLIENT_ID, clientSecret: keys.clientSecret, authorizeParams: { prompt: "login" } },
    handle(request, response) {
      const path = (request.url ?? "").slice(PREFIX.length);
      if (!path.startsWith("/interaction/")) {
        Object.assign(request, { originalUrl: request.url });
        request.url = path;
        void callback(request, response);
        return;
      }
      interact(provider, people, request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(statusOf(error), PAGE_HEADERS);
        response.end(renderProblemPage({ problem: problemOf(error), backTo }));
      });
    },
  };
}

interface ProviderParts {
  readonly keys: ProviderKeys;
  /** By account id: all users who have signed in since the start. */
  readonly people: ReadonlyMap<string, Person>;
  readonly redirectUri: string;
  /** Address of the page where a sign-in begins. */
  readonly backTo: string;
}

function configure({ keys, people, redirectUri, backTo }: ProviderParts): Configuration {
  return {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: keys.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
        require_auth_time: true,
      },
    ],
    jwks: { keys: [keys.jwk] },
    cookies: {
      keys: [keys.cookieKey],
      long: { signed: true, sameSite: "lax" },
      short: { signed: true, sameSite: "lax" },
    },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name"] },
    // Puts the email address into the id token, as the well-known providers do.
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
      return person && { accountId: id, claims: () => claimsOf(id, person) };
    },
    // Grants everything without a question, because the only client is our own site.
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
  };
}

function claimsOf(sub: string, { email, firstName }: Person) {
  return { sub, email, email_verified: true, ...(firstName !== "" && { given_name: firstName }) };
}

/** Answers the sign-in page: shows the form, takes it, or cancels the sign-in. */
async function interact(
  provider: Provider,
  people: Map<string, Person>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  if (request.url?.endsWith("/cancel")) {
    await provider.interactionFinished(request, response, {
      error: "access_denied",
      error_description: "Sign-in was cancelled.",
    });
    return;
  }
  if (request.method !== "POST") return showForm(response, interaction.uid, 200);
  const form = Object.fromEntries(new URLSearchParams(await readBody(request, MAX_FORM_BYTES)));
  const person = Person.safeParse(form);
  if (!person.success)
    return showForm(response, interaction.uid, 400, {
      problem: person.error.issues[0]?.message ?? "Please try again.",
      email: form["email"] ?? "",
      firstName: form["firstName"] ?? "",
    });
  const accountId = createHash("sha256").update(person.data.email.toLowerCase()).digest("base64url");
  people.set(accountId, person.data);
  if (interaction.session !== undefined && interaction.session.accountId !== accountId) {
    // Another user is signed in at the provider: without this the library first asks to sign that user out.
    await (await provider.Session.findByUid(interaction.session.uid))?.destroy();
    delete interaction.session;
    await interaction.persist();
  }
  await provider.interactionFinished(request, response, { login: { accountId, remember: false } });
}

function showForm(
  response: ServerResponse,
  interactionUid: string,
  status: number,
  form: { problem?: string; email?: string; firstName?: string } = {},
): void {
  const action = `${PREFIX}/interaction/${interactionUid}`;
  response.writeHead(status, {
    ...PAGE_HEADERS,
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  });
  response.end(renderSignInPage({ action, cancel: `${action}/cancel`, ...form }));
}

/** @returns the sentence for the user about an error */
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
