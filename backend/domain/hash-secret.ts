import { createHash } from "node:crypto";

/** @returns what is stored of a random secret: its SHA-256 in hex. Nobody can guess the secret from it. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
