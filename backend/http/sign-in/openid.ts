/**
 * Any OpenID Connect provider: where its parts are (OpenID Connect Discovery 1.0), and whether what
 * it says is true (Core 1.0, section 3.1.3.7). It is asked when somebody signs in, so one that is
 * down keeps nobody from starting, and is asked again the next time.
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
  given_name: z.string().optional(),
});
const Profile = Claims.pick({ sub: true, email: true, given_name: true });

/** Providers move their endpoints and keys rarely; this is how late we may be to notice. */
const METADATA_AGE_MS = 60 * 60 * 1_000;
/** What a clock may be off. */
const CLOCK_TOLERANCE_SECONDS = 30;

export interface OpenId {
  /** @throws SignInFailure unavailable */
  metadata(): Promise<Metadata>;
  /** @throws SignInFailure when the token is not what we asked this provider for */
  verify(idToken: string, nonce: string, accessToken: string | undefined): Promise<Identity>;
}

export function createOpenId({ issuer, clientId }: SignInSettings, timeoutMs: number): OpenId {
  let known: { metadata: Metadata; keys: JWTVerifyGetKey; atMs: number } | undefined;

  async function discover(): Promise<NonNullable<typeof known>> {
    if (known && Date.now() - known.atMs < METADATA_AGE_MS) return known;
    const metadata = Metadata.parse(await getJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`));
    if (metadata.issuer !== issuer) throw new Error(`the provider calls itself ${metadata.issuer}, not ${issuer}`);
    known = {
      metadata,
      keys: createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: timeoutMs, cooldownDuration: timeoutMs }),
      atMs: Date.now(),
    };
    return known;
  }

  async function getJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
    const answer = await fetch(url, {
      headers: { accept: "application/json", ...headers },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
    return answer.json();
  }

  const reach = () =>
    discover().catch((error: unknown) => {
      throw new SignInFailure("unavailable", "the identity provider cannot be reached", error);
    });

  return {
    metadata: async () => (await reach()).metadata,

    async verify(idToken, nonce, accessToken) {
      const { metadata, keys } = await reach();
      const payload = await checked(idToken, keys);
      const claims = Claims.safeParse(payload);
      if (!claims.success) throw new SignInFailure("invalid", "the token lacks a claim", claims.error);
      const { sub, azp } = claims.data;
      if (claims.data.nonce !== nonce) throw new SignInFailure("invalid", "the token is for another sign-in");
      if (azp !== undefined && azp !== clientId) throw new SignInFailure("invalid", "the token is for another client");
      // Not every provider puts the address into the token; those have it at their userinfo endpoint.
      const { email, given_name } =
        claims.data.email === undefined ? await profile(metadata, sub, accessToken) : claims.data;
      if (email === undefined) throw new SignInFailure("invalid", "the provider gives no email address");
      const firstName = given_name?.trim().slice(0, 100);
      return { issuer, subject: sub, email, ...(firstName ? { firstName } : {}) };
    },
  };

  async function checked(idToken: string, keys: JWTVerifyGetKey): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: clientId,
        requiredClaims: ["exp", "iat", "sub", "nonce"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new SignInFailure("expired", "the token has expired", error);
      const isTheToken =
        error instanceof errors.JOSEError &&
        !(error instanceof errors.JWKSTimeout) &&
        error.code !== "ERR_JOSE_GENERIC";
      throw new SignInFailure(isTheToken ? "invalid" : "unavailable", "the token cannot be verified", error);
    }
  }

  async function profile(
    { userinfo_endpoint: url }: Metadata,
    sub: string,
    accessToken: string | undefined,
  ): Promise<z.infer<typeof Profile>> {
    if (url === undefined || accessToken === undefined) return { sub };
    const answer = await getJson(url, { authorization: `Bearer ${accessToken}` }).catch((error: unknown) => {
      throw new SignInFailure("unavailable", "the provider does not say who this is", error);
    });
    const parsed = Profile.safeParse(answer);
    if (!parsed.success || parsed.data.sub !== sub)
      throw new SignInFailure("invalid", "the profile is somebody else's");
    return parsed.data;
  }
}
