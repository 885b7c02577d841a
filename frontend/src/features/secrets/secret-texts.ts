/** The texts that every list of things with secrets has. */
export interface SecretTexts {
  readonly title: string;
  /** What they are for. */
  readonly about: string;
  /** Of the link to the description of the API. */
  readonly description: string;
  readonly loading: string;
  readonly notLoaded: string;
  readonly retry: string;
  readonly none: string;
  readonly failed: string;
  readonly make: string;
  readonly full: (count: number) => string;
  readonly upgrade: string;
  readonly copyNow: string;
  readonly copy: string;
  readonly copied: string;
  readonly done: string;
  readonly revoke: string;
  readonly revokeNamed: (name: string) => string;
  readonly revokeForGood: string;
  readonly keep: string;
}
