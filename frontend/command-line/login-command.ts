/** `tapedeck login`: asks for server and token, tries them, and keeps them. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { originOf, writeAccount } from "./account-file.ts";
import { CommandError, EXIT, type ExitCode } from "./command-error.ts";
import { warnIfOpen } from "./open-server.ts";
import { printable } from "./progress-line.ts";
import { Reachability } from "./reachability.ts";
import { ServerClient } from "./server-client.ts";

/** Where `npm start` serves the site. */
const USUAL_SERVER = "http://localhost:3000";

/** @param given what need not be asked; without a terminal, the token is the first line of the input */
export async function loginCommand(given: {
  readonly server: string | undefined;
  readonly token: string | undefined;
}): Promise<ExitCode> {
  const server = originOf(given.server ?? process.env["TAPEDECK_URL"] ?? (await askForServer()));
  warnIfOpen(server);
  const token = (given.token ?? process.env["TAPEDECK_TOKEN"] ?? (await askForToken(server))).trim();
  if (token === "") throw new CommandError(EXIT.usage, "The token is missing.");
  const reachability = new Reachability({ server, waitMs: 0, onChange: () => undefined });
  const user = await new ServerClient({ server, token }, reachability).user();
  const file = await writeAccount({ server, token }, process.env);
  process.stdout.write(`Hello ${printable(user.firstName ?? user.email ?? "there")}. The token is in ${file}.\n`);
  return EXIT.done;
}

async function askForServer(): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError(EXIT.usage, "Name the server with --server.");
  return (await ask(`Server [${USUAL_SERVER}]: `, process.stdout)) || USUAL_SERVER;
}

/** What is typed is not shown. */
async function askForToken(server: string): Promise<string> {
  if (!process.stdin.isTTY) return await ask("", silent());
  // Before the words that ask for it: until then the terminal itself shows what is typed.
  const typed = ask("", silent());
  process.stdout.write(`Make a token at ${server}/dashboard and paste it here; it is not shown: `);
  const token = await typed;
  process.stdout.write("\n");
  return token;
}

function silent(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** @returns a line of the input; empty at its end */
async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
}
