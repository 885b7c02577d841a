/** The keys of the development provider, stored so that users stay signed in after a restart. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { z } from "zod";
import { SetUpError } from "../../setup/set-up-error.ts";

/** In the data folder. */
export const PROVIDER_KEYS_FILE = "identity-provider.json";

const Keys = z.object({
  jwk: z.looseObject({ kty: z.literal("RSA"), n: z.string(), e: z.string(), d: z.string() }),
  cookieKey: z.string().min(32),
  clientSecret: z.string().min(32),
});
export type ProviderKeys = z.infer<typeof Keys>;

/**
 * Reads the keys in the data folder or makes them.
 * @throws SetUpError when the file does not hold keys
 */
export async function loadProviderKeys(dataDir: string): Promise<ProviderKeys> {
  const file = path.join(dataDir, PROVIDER_KEYS_FILE);
  const stored = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (stored !== null) return parseKeys(stored, file);
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const keys = {
    jwk: { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: randomBytes(8).toString("hex") },
    cookieKey: randomBytes(32).toString("base64url"),
    clientSecret: randomBytes(32).toString("base64url"),
  };
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return Keys.parse(keys);
}

/** @throws SetUpError when the text is incomplete or of another format */
function parseKeys(text: string, file: string): ProviderKeys {
  try {
    return Keys.parse(JSON.parse(text));
  } catch (error) {
    throw new SetUpError(
      `${file} does not hold the keys of the development sign-in: run \`rm ${file}\` to get new ones; ` +
        "all users sign in again.",
      { cause: error },
    );
  }
}
