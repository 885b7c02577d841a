import type { SignInError } from "../../../common/api.ts";

/** A sign-in that came to nothing; the message is for the log, the code for the person. */
export class SignInFailure extends Error {
  readonly code: SignInError;

  constructor(code: SignInError, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SignInFailure";
    this.code = code;
  }
}
