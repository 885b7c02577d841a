/** The file in which `tapedeck login` keeps server and token. */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";
import type { Account } from "../api-client/api-call.ts";
import { readServerAddress } from "../api-client/server-address.ts";
import { CommandError, EXIT } from "./command-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const KeptAccount = z.object({ server: z.url({ protocol: /^https?$/ }), token: z.string().min(1) });

/** @returns where the file is: below XDG_CONFIG_HOME, APPDATA on Windows, or ~/.config */
export function accountFile(environment: Environment): string {
  const folder =
    environment["XDG_CONFIG_HOME"] || environment["APPDATA"] || path.join(environment["HOME"] || homedir(), ".config");
  return path.join(folder, "tapedeck", "account.json");
}

/** Writes a new file with mode 0600 and puts it in the place of the old one, whose mode may be another. */
export async function writeAccount(account: Account, environment: Environment): Promise<string> {
  const file = accountFile(environment);
  const draft = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return file;
}

/**
 * Takes server and token from the arguments, else from the environment, else from the file.
 * @throws CommandError usage if one is missing
 */
export async function findAccount(given: Partial<Account>, environment: Environment): Promise<Account> {
  const server = given.server ?? environment["TAPEDECK_URL"];
  const token = given.token ?? environment["TAPEDECK_TOKEN"];
  const kept = server !== undefined && token !== undefined ? undefined : await readAccount(environment);
  const address = server === undefined ? kept?.server : originOf(server);
  if (address === undefined)
    throw new CommandError(EXIT.usage, 'Run "tapedeck login" once, or name the server with --server or TAPEDECK_URL.');
  // A token is shown to no other server than its own.
  const known = token ?? (kept?.server === address ? kept.token : undefined);
  if (known === undefined)
    throw new CommandError(
      EXIT.usage,
      `There is no token for ${address}. Make one on its dashboard, then run "tapedeck login --server ${address}".`,
    );
  return { server: address, token: known.trim() };
}

/** @param address as people write it; @throws CommandError usage */
export function originOf(address: string): string {
  const origin = readServerAddress(address);
  if (origin !== undefined) return origin;
  throw new CommandError(
    EXIT.usage,
    `${address} is not the address of a server. It looks like https://tapedeck.example.`,
  );
}

async function readAccount(environment: Environment): Promise<Account | undefined> {
  const file = accountFile(environment);
  try {
    const { server, token } = KeptAccount.parse(JSON.parse(await readFile(file, "utf8")));
    return { server: originOf(server), token };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new CommandError(EXIT.usage, `${file} cannot be read. Run "tapedeck login" again.`, { cause: error });
  }
}
