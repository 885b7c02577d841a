/** A file with the address of a running development server's database, for commands that run beside the server. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const fileIn = (dataDir: string) => join(dataDir, "database-address");

/** @returns deletes the file */
export async function writeDatabaseAddress(dataDir: string, uri: string): Promise<() => Promise<void>> {
  // It has the password. One that a killed server left may have been readable by others.
  await rm(fileIn(dataDir), { force: true });
  await writeFile(fileIn(dataDir), `${uri}\n`, { mode: 0o600, flag: "wx" });
  return () => rm(fileIn(dataDir), { force: true });
}

/** @returns null when no server runs in this data folder */
export async function readDatabaseAddress(dataDir: string): Promise<string | null> {
  return readFile(fileIn(dataDir), "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
}
