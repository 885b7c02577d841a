import { ConfigError } from "../config/config.ts";
import { loadEnvFile } from "../config/env-file.ts";
import { makeFilesPrivate } from "../runtime/private-files.ts";

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs an operator's command with the variables of `.env`. Prints its error and sets the exit code 1 if it fails.
 * @param isForOperator whether the message of an error says what to do; other errors are printed with their stack
 */
export async function runCommand(
  command: () => Promise<void>,
  isForOperator: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    makeFilesPrivate();
    loadEnvFile();
    await command();
  } catch (error) {
    process.stderr.write(`${describe(error, error instanceof ConfigError || isForOperator(error))}\n`);
    process.exitCode = 1;
  }
}

function describe(error: unknown, isForOperator: boolean): string {
  if (!(error instanceof Error)) return String(error);
  return isForOperator ? error.message : (error.stack ?? error.message);
}
