/**
 * An OpenID Connect provider: finds its endpoints (OpenID Connect Discovery 1.0) and verifies its tokens (Core 1.0,
 * section 3.1.3.7). The provider is contacted at a sign-in only, so the server starts without it, and a failed request
 * is repeated at the next sign-in.
 */
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { Identity } from "../../domain/accounts/sign-in.ts";
import { SignInFailure } from "./failure.ts";
import type { SignInSettings } from "./settings.ts";

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type Metadata = z.infer<typeof Metadata>;

const Claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: z.string().optional(),
  email: z.email().optional(),
  /** Some providers send a text. */
  email_verified: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).optional(),
  given_name: z.string().optional(),
  /** When the provider asked the user, in seconds; many providers state it only if they have to. */
  auth_time: z.number().optional(),
});
const Profile = Claims.pick({ sub: true, email: true, email_verified: true, given_name: true });

export interface VerifiedSignIn {
  readonly identity: Identity;
  /** When the provider asked the user; undefined if it does not say. */
  readonly authenticatedAtMs: number | undefined;
}

/** Providers change their endpoints rarely; a change is noticed after at most this time. */
const METADATA_AGE_MS = 60 * 60 * 1_000;
/** How much the clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

interface Discovery {
  readonly metadata: Metadata;
  readonly keys: JWTVerifyGetKey;
  readonly atMs: number;
}

export class OpenIdProvider {
  readonly #issuer: string;
  readonly #clientId: string;
  readonly #timeoutMs: number;
  #discovery: Discovery | undefined;

  /** @param timeoutMs of each request to the provider */
  constructor({ issuer, clientId }: SignInSettings, timeoutMs: number) {
    this.#issuer = issuer;
    this.#clientId = clientId;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws SignInFailure unavailable if the provider cannot be reached */
  async metadata(): Promise<Metadata> {
    return (await this.#discover()).metadata;
  }

  /**
   * Verifies an id token, and reads the profile if the token has no email address.
   * @throws SignInFailure if the token is not valid for this sign-in, or if the provider cannot be reached
   */
  async verify(idToken: string, nonce: string, accessToken: string | undefined): Promise<VerifiedSignIn> {
    const { metadata, keys } = await this.#discover();
    const payload = await this.#verifySignature(idToken, keys);
    const claims = Claims.safeParse(payload);
    if (!claims.success) throw new SignInFailure("invalid", "the token lacks a claim", claims.error);
    const { sub, azp } = claims.data;
    if (claims.data.nonce !== nonce) throw new SignInFailure("invalid", "the token is for another sign-in");
    if (azp !== undefined && azp !== this.#clientId)
      throw new SignInFailure("invalid", "the token is for another client");
    // Some providers have the email address at their userinfo endpoint only.
    const { email, email_verified, given_name } =
      claims.data.email === undefined ? await this.#readProfile(metadata, sub, accessToken) : claims.data;
    if (email === undefined) throw new SignInFailure("invalid", "the provider gives no email address");
    const firstName = given_name?.trim().slice(0, 100) || undefined;
    const { auth_time: authTime } = claims.data;
    return {
      identity: { issuer: this.#issuer, subject: sub, email, isEmailVerified: email_verified === true, firstName },
      authenticatedAtMs: authTime === undefined ? undefined : authTime * 1_000,
    };
  }

  async #discover(): Promise<Discovery> {
    if (this.#discovery && Date.now() - this.#discovery.atMs < METADATA_AGE_MS) return this.#discovery;
    try {
      const metadata = await this.#readMetadata();
      const options = { timeoutDuration: this.#timeoutMs, cooldownDuration: this.#timeoutMs };
      this.#discovery = {
        metadata,
        keys: createRemoteJWKSet(new URL(metadata.jwks_uri), options),
        atMs: Date.now(),
      };
      return this.#discovery;
    } catch (error) {
      throw new SignInFailure("unavailable", "the identity provider cannot be reached", error);
    }
  }

  async #readMetadata(): Promise<Metadata> {
    const url = `${this.#issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const metadata = Metadata.parse(await this.#getJson(url));
    if (metadata.issuer !== this.#issuer)
      throw new Error(`the provider's issuer is ${metadata.issuer}, not ${this.#issuer}`);
    return metadata;
  }

  async #verifySignature(idToken: string, keys: JWTVerifyGetKey): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer: this.#issuer,
        audience: this.#clientId,
        requiredClaims: ["exp", "iat", "sub", "nonce"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new SignInFailure("expired", "the token has expired", error);
      const isTokenInvalid =
        error instanceof errors.JOSEError &&
        !(error instanceof errors.JWKSTimeout) &&
        error.code !== "ERR_JOSE_GENERIC";
      throw new SignInFailure(isTokenInvalid ? "invalid" : "unavailable", "the token cannot be verified", error);
    }
  }

  async #readProfile(
    { userinfo_endpoint: url }: Metadata,
    sub: string,
    accessToken: string | undefined,
  ): Promise<z.infer<typeof Profile>> {
    if (url === undefined || accessToken === undefined) return { sub };
    const answer = await this.#getJson(url, { authorization: `Bearer ${accessToken}` }).catch((error: unknown) => {
      throw new SignInFailure("unavailable", "the provider's profile cannot be read", error);
    });
    const parsed = Profile.safeParse(answer);
    if (!parsed.success || parsed.data.sub !== sub)
      throw new SignInFailure("invalid", "the profile belongs to another user");
    return parsed.data;
  }

  async #getJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
    const answer = await fetch(url, {
      headers: { accept: "application/json", ...headers },
      redirect: "error",
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
    return answer.json();
  }
}
