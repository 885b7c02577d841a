/** Opens the sandbox of tools, as strictly as TOOL_SANDBOX asks for. */
import type { Logger } from "pino";
import { ConfigError, type Config } from "../../config/config.ts";
import { openSandbox, type FoundSandbox } from "../../pipeline/process/open-sandbox.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";

const LOSS = "so a foreign file that takes over a tool could read this server's files and keys and reach its network";
const REMEDY = 'install bubblewrap (see "Sandbox" in docker/README.md)';

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
  if (toolSandbox === "required")
    throw new ConfigError(
      `TOOL_SANDBOX is required, but this machine has ${missing}: ${REMEDY}, or set TOOL_SANDBOX=preferred to go on`,
    );
  log.warn(`tools run with ${missing}, ${LOSS}: ${REMEDY}`);
  return sandbox;
}
