/** Opens the sandbox of tools, as strictly as TOOL_SANDBOX asks for. */
import { existsSync } from "node:fs";
import type { Logger } from "pino";
import { ConfigError, type Config } from "../../config/config.ts";
import { findInterpreter } from "../../pipeline/extractor-host/interpreter.ts";
import { openSandbox, type FoundSandbox } from "../../pipeline/process/open-sandbox.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";
import { sandboxRemedy } from "./sandbox-remedy.ts";

const LOSS = "so a foreign file that takes over a tool could read this server's files and keys and reach its network";

/**
 * @param find replaces the check of this machine in tests
 * @returns undefined where tools run without a sandbox
 * @throws ConfigError when the sandbox is required and not complete
 */
export async function openToolSandbox(
  { toolSandbox }: Pick<Config, "toolSandbox">,
  log: Pick<Logger, "warn">,
  find: () => Promise<FoundSandbox> = openSandbox,
): Promise<ToolSandbox | undefined> {
  if (toolSandbox === "off") {
    log.warn(`tools run without a sandbox because TOOL_SANDBOX is off, ${LOSS}`);
    return undefined;
  }
  const { sandbox, missing } = await find();
  if (missing === undefined) return sandbox;
  const remedy = sandboxRemedy(missing);
  if (toolSandbox === "required")
    throw new ConfigError(
      `TOOL_SANDBOX is required, but this machine has ${missing}: ${remedy}, or set TOOL_SANDBOX=preferred to go on`,
    );
  log.warn(`tools run with ${missing}, ${LOSS}: ${remedy}`);
  return sandbox;
}

/**
 * Looks whether yt-dlp can be led to the egress guard out of a network of its own. Only a Python program can.
 * @throws ConfigError when it cannot, and the sandbox is required
 */
export async function checkExtractorNetwork(
  { toolSandbox }: Pick<Config, "toolSandbox">,
  ytDlpPath: string,
  log: Pick<Logger, "warn">,
): Promise<void> {
  // The first call says that a program is missing.
  if (toolSandbox === "off" || !existsSync(ytDlpPath) || (await findInterpreter(ytDlpPath))) return;
  const problem = `${ytDlpPath} is no Python program, so its sandbox has this machine's network`;
  if (toolSandbox === "required")
    throw new ConfigError(
      `TOOL_SANDBOX is required, but ${problem}: let YTDLP_PATH name a yt-dlp that pip has installed, ` +
        "or set TOOL_SANDBOX=preferred to go on",
    );
  log.warn(`${problem}: a foreign page that takes it over could reach the services of this network`);
}
