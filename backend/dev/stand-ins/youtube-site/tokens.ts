/** Proof-of-origin tokens of the YouTube-shaped site: each is good for the address that asked for it. */
import { randomBytes } from "node:crypto";

/** Where the token provider asks for a token. YouTube answers with a challenge there, which the provider solves. */
export const TOKEN_PATH = "/youtubei/v1/att/get";

export class Tokens {
  /** Exit by token. */
  readonly #issued = new Map<string, string>();

  issue(exit: string): string {
    const token = randomBytes(48).toString("base64url");
    this.#issued.set(token, exit);
    return token;
  }

  isGood(token: string | null, exit: string): boolean {
    return token !== null && this.#issued.get(token) === exit;
  }
}
