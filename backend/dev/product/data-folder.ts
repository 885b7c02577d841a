/** The data folder of a server process that a test or a long run starts, and what is found in it. */
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import { openJobModel, type JobDocument } from "../../domain/jobs/job-model.ts";
import { readDatabaseAddress } from "../../runtime/database-address.ts";
import { repositoryDataDir } from "../repository.ts";

/**
 * Links the shared database program and sample clips into a data folder, so that they are not made again.
 * @returns the folder
 */
export async function linkSharedFolders(dataDir: string): Promise<string> {
  await mkdir(join(dataDir, "tools"), { recursive: true });
  for (const shared of ["tools/database", "sample-site"]) {
    const target = join(repositoryDataDir(), shared);
    await mkdir(target, { recursive: true });
    await symlink(target, join(dataDir, shared));
  }
  return dataDir;
}

/** @returns processes whose command line has the folder: those that a server on this data folder started */
export async function processesOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (commandLine.includes(folder)) found.push(`${pid} ${commandLine.replaceAll("\0", " ")}`);
  }
  return found;
}

/**
 * Compares the storage of a running server with its database.
 * @returns `stored`: file names in the storage; `named`: keys of all jobs; both sorted
 */
export async function readStore(dataDir: string, mongodbUri?: string): Promise<{ stored: string[]; named: string[] }> {
  const uri = mongodbUri ?? (await readDatabaseAddress(dataDir));
  if (uri === null) throw new Error(`no server with a database of its own runs on ${dataDir}`);
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const jobs = await (await openJobModel(connection)).find().lean<JobDocument[]>();
    const named = jobs
      .flatMap(({ fileKey, thumbnailKey }) => [fileKey, thumbnailKey])
      .filter((key) => key !== undefined);
    return { stored: (await readdir(join(dataDir, "files"))).sort(), named: [...new Set(named)].sort() };
  } finally {
    await connection.close();
  }
}
