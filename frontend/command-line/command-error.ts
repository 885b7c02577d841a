/** How the command ends; `--help` and the README beside this file name the codes. */
export const EXIT = { done: 0, failed: 1, usage: 2, noServer: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Something that the user has to know, in a sentence that says what to do. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  /** The server's code of the error; absent for errors of the command itself. */
  readonly code: string | undefined;

  constructor(exitCode: ExitCode, message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "CommandError";
    this.exitCode = exitCode;
    this.code = options.code;
  }
}

/** Whether an error only says that the user has interrupted the command. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
