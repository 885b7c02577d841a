import type { SignInError } from "../../../common/account-calls.ts";

/** A failed sign-in. The message is for the log; the code selects the sentence for the visitor. */
export class SignInFailure extends Error {
  readonly code: SignInError;

  constructor(code: SignInError, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SignInFailure";
    this.code = code;
  }
}
