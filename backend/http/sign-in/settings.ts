/** What sign-in needs to know about the provider of identities. */
export interface SignInSettings {
  /** As it stands in its tokens and before `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sent along to the provider's page, such as `prompt`. */
  readonly authorizeParams?: Readonly<Record<string, string>>;
}

/** How long the provider may take for any one answer. */
export interface SignInTiming {
  readonly timeoutMs: number;
  /** A browser signed in stays so for this long after its last visit. */
  readonly sessionMs: number;
}
