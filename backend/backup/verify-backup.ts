import path from "node:path";
import { BackupError } from "./backup-error.ts";
import { hashFile, type Part } from "./checked-file.ts";
import { pathsIn, type Manifest } from "./manifest.ts";
import { partFile } from "./part-file.ts";

/**
 * Compares every part of a backup with its checksum.
 * @throws BackupError that names the first part that is damaged or missing
 */
export async function verifyBackup(backup: string, manifest: Manifest): Promise<void> {
  const paths = pathsIn(backup);
  for (const part of manifest.collections) await verifyPart(backup, paths.collection(part.name), part);
  for (const part of manifest.dataFiles) await verifyPart(backup, paths.dataFile(part.name), part);
  for (const part of manifest.files ?? []) await verifyPart(backup, paths.file(part.key), part);
}

/** @throws BackupError when one collection of a backup is damaged */
export async function verifyCollection(backup: string, manifest: Manifest, name: string): Promise<void> {
  const part = manifest.collections.find((collection) => collection.name === name);
  if (part) await verifyPart(backup, pathsIn(backup).collection(name), part);
}

async function verifyPart(backup: string, file: string, { bytes, sha256 }: Part): Promise<void> {
  const hashing = partFile(backup, file).then((own) => hashFile(own));
  const found = await hashing.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found?.bytes === bytes && found.sha256 === sha256) return;
  const problem = found === null ? "is missing" : "does not have its checksum";
  throw new BackupError(
    `The backup ${backup} is damaged: ${path.relative(backup, file)} ${problem}. Nothing was changed; restore another one.`,
  );
}
