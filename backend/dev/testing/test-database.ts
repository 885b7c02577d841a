/**
 * Vitest's global set-up: one embedded database for a run, and the tools. A test reads them with
 * `inject("mongodbUri")` and `inject("toolPaths")` and chooses its own database name.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { repositoryDataDir } from "../repository.ts";
import { prepareToolsOfCheckout, type ToolPaths } from "../setup/tools.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a database name. */
    mongodbUri: string;
    toolPaths: ToolPaths;
  }
}

const report = (line: string) => process.stdout.write(`${line}\n`);

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = repositoryDataDir();
  const toolPaths = await prepareToolsOfCheckout(report);
  project.provide("toolPaths", toolPaths);
  const given = process.env["MONGODB_URI"];
  if (given !== undefined && given !== "") {
    project.provide("mongodbUri", given);
    return async () => {};
  }
  const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-tests-"));
  const database = await startEmbeddedDatabase({ dataDir: folder, toolsDir: path.join(dataDir, "tools"), report });
  project.provide("mongodbUri", database.uri);
  return async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
