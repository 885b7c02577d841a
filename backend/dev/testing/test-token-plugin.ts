/** The real plugin of the token provider, installed once beside the tools and kept for later runs. */
import path from "node:path";
import { inject } from "vitest";
import { TokenPlugin } from "../../extractor/token-plugin.ts";
import { findInterpreter } from "../../pipeline/extractor-host/interpreter.ts";
import { readConfig } from "../../config/config.ts";
import { repositoryDataDir } from "../repository.ts";
import { openTestSandbox } from "./test-sandbox.ts";

export async function openTestTokenPlugin(): Promise<{ readonly folder: string; readonly version: string }> {
  const python = (await findInterpreter(inject("toolPaths").ytDlpPath))?.python ?? ["python3"];
  const environment = readConfig(process.env).pipEnvironment;
  const home = path.join(repositoryDataDir(), "tools", "token-plugin");
  const plugin = await TokenPlugin.open(home, { python, environment, sandbox: await openTestSandbox() });
  const version = await plugin.install(undefined, new AbortController().signal);
  return { folder: plugin.folder, version };
}
