/** Entry point of the command: reads its words, does what they say, and ends with a code. */
import { HELP, readArguments } from "./arguments.ts";
import { CommandError, type ExitCode } from "./command-error.ts";
import { convertCommand } from "./convert-command.ts";
import { loginCommand } from "./login-command.ts";
import { printable } from "./progress-line.ts";

async function run(words: readonly string[]): Promise<ExitCode> {
  const chosen = readArguments(words);
  switch (chosen.command) {
    case "help":
      process.stdout.write(HELP);
      return 0;
    case "login":
      return await loginCommand(chosen);
    default:
      return await convertCommand(chosen);
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${printable(error.message)}\n`);
  process.exitCode = error.exitCode;
}
