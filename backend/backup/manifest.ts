/** The manifest of a backup: what is in it, with a checksum of each part. It is written last. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isKey } from "../storage/file-store.ts";
import { BackupError } from "./backup-error.ts";
import { writeWhole } from "./checked-file.ts";
import { partFile } from "./part-file.ts";

/** Raised with every change that an older version of this code could not restore. */
const FORMAT = 1;
const MANIFEST_FILE = "manifest.json";

/**
 * Files of the data folder, beside the database and finished files, that cannot be made again: keys, and in development
 * what the stand-ins know.
 */
export const KEPT_DATA_FILES = [
  "session-keys.json",
  "identity-provider.json",
  "payment-provider/payment-provider/ledger.json",
] as const;

const PartShape = z.object({ bytes: z.int().min(0), sha256: z.string().length(64) });

const CollectionPart = PartShape.extend({ name: z.string().regex(/^\w+$/), documents: z.int().min(0) });
export type CollectionPart = z.infer<typeof CollectionPart>;

const FilePart = PartShape.extend({ key: z.string().refine(isKey) });
export type FilePart = z.infer<typeof FilePart>;

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** When the reading of the database began. */
  createdAt: z.iso.datetime().transform((text) => new Date(text)),
  completedAt: z.iso.datetime().transform((text) => new Date(text)),
  /** See migrations.ts. */
  databaseVersion: z.int().min(0),
  collections: z.array(CollectionPart),
  /** Null: the files are in S3-compatible storage, which has backups of its own. */
  files: z.array(FilePart).nullable(),
  /** Files of completed jobs that were deleted while the backup was made. */
  goneFiles: z.int().min(0),
  dataFiles: z.array(PartShape.extend({ name: z.enum(KEPT_DATA_FILES) })),
});
export type Manifest = z.infer<typeof Manifest>;

/** Paths of the parts inside the folder of a backup. */
export const pathsIn = (backup: string) => ({
  database: path.join(backup, "database"),
  collection: (name: string) => path.join(backup, "database", `${name}.bson`),
  files: path.join(backup, "files"),
  file: (key: string) => path.join(backup, "files", key),
  data: path.join(backup, "data"),
  dataFile: (name: string) => path.join(backup, "data", name),
});

export async function writeManifest(backup: string, manifest: Omit<Manifest, "format">): Promise<void> {
  await writeWhole(path.join(backup, MANIFEST_FILE), `${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`);
}

/** @throws BackupError when the folder is no backup, or one of a newer format */
export async function readManifest(backup: string): Promise<Manifest> {
  const file = path.join(backup, MANIFEST_FILE);
  const reading = partFile(backup, file).then((own) => readFile(own, "utf8"));
  const text = await reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    throw new BackupError(`${backup} is no backup: it has no ${MANIFEST_FILE}.`, { cause: error });
  });
  try {
    const content: unknown = JSON.parse(text);
    const { format } = z.object({ format: z.number() }).parse(content);
    if (format > FORMAT)
      throw new BackupError(`${backup} was made by a newer version of Tapedeck: restore it with that version.`);
    return Manifest.parse(content);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new BackupError(`${file} is damaged: restore another backup, or move this one away.`, { cause: error });
    throw error;
  }
}
