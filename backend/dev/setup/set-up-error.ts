/**
 * A program or service that the site needs is missing and could not be fetched.
 * The message is one line for the terminal and names the command that fixes it.
 */
export class SetUpError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message.replaceAll(/\s*\n\s*/g, " ").trim(), options);
    this.name = "SetUpError";
  }
}
