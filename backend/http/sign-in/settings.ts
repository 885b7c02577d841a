/** The settings of the identity provider. */
export interface SignInSettings {
  /** The issuer in its tokens, and the part of its URL before `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** More query parameters for the provider's sign-in page, such as `prompt`. */
  readonly authorizeParams?: Readonly<Record<string, string>>;
}

export interface SignInTiming {
  /** Timeout of each request to the provider. */
  readonly timeoutMs: number;
  /** A signed-in browser stays signed in for this time after its last visit. */
  readonly sessionMs: number;
}
