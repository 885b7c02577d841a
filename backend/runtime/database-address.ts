/** Where a running development server's own database listens, for commands that work beside it. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const fileIn = (dataDir: string) => join(dataDir, "database-address");

/** @returns what takes the note away again */
export async function noteDatabaseAddress(dataDir: string, uri: string): Promise<() => Promise<void>> {
  await writeFile(fileIn(dataDir), `${uri}\n`);
  return () => rm(fileIn(dataDir), { force: true });
}

/** Null: no server of this data folder is running. */
export async function readDatabaseAddress(dataDir: string): Promise<string | null> {
  return readFile(fileIn(dataDir), "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
}
