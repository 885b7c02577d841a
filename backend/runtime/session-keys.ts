/** Keys that sign cookies, for a server without SESSION_KEYS. */
import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ConfigError } from "../config/config.ts";

/** RFC 2104 advises at least the hash's own length for an HMAC key: 32 bytes for SHA-256. */
const KEY_BYTES = 32;

const Keys = z.array(z.string().min(32)).min(1);

/**
 * Reads the keys in the data folder or makes one. The file is readable only by its owner. Processes that start at the
 * same time get the same keys.
 * @returns keys of 32 random bytes in base64url, newest first
 * @throws ConfigError when the file does not hold keys
 */
export async function loadSessionKeys(dataDir: string): Promise<string[]> {
  const file = path.join(path.resolve(dataDir), "session-keys.json");
  const stored = await readKeys(file);
  if (stored) return stored;
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify([randomBytes(KEY_BYTES).toString("base64url")])}\n`);
    await handle.sync();
    // Unlike rename, link fails when another process has made the file first.
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await handle.close();
    await rm(draft);
  }
  const made = await readKeys(file);
  if (!made) throw new ConfigError(`The session keys vanished from ${file} while they were made; start again.`);
  return made;
}

async function readKeys(file: string): Promise<string[] | undefined> {
  try {
    return Keys.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new ConfigError(
        `${file} does not hold session keys: run \`rm ${file}\` to get new ones; everybody is signed out.`,
        { cause: error },
      );
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
