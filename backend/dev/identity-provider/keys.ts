/** The development provider's keys, kept so that a restart signs nobody out. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { z } from "zod";

const Keys = z.object({
  jwk: z.record(z.string(), z.unknown()),
  cookieKey: z.string().min(32),
  clientSecret: z.string().min(32),
});
export type ProviderKeys = z.infer<typeof Keys>;

export async function loadProviderKeys(dataDir: string): Promise<ProviderKeys> {
  const file = path.join(dataDir, "identity-provider.json");
  const kept = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (kept !== null) return Keys.parse(JSON.parse(kept));
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const keys: ProviderKeys = {
    jwk: { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: randomBytes(8).toString("hex") },
    cookieKey: randomBytes(32).toString("base64url"),
    clientSecret: randomBytes(32).toString("base64url"),
  };
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return keys;
}
