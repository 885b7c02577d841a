/**
 * Starts the server with the settings of a test or bench:
 * `node backend/dev/main-with-settings.ts '{"worker":{"sweepMs":200}}'`.
 */
import { runServerProcess } from "../main.ts";
import { readSettingsArgument } from "./settings-argument.ts";

await runServerProcess(readSettingsArgument(process.argv[2]));
