/** Settings on the command line of a server process that a test or bench starts. */
import type { SettingsOverrides } from "../config/settings.ts";

/** Script that takes the settings, relative to the repository. */
export const MAIN_WITH_SETTINGS = "backend/dev/main-with-settings.ts";

/** @returns arguments for node that start a server with these settings */
export function serverArguments(settings: SettingsOverrides): [string, string] {
  return [MAIN_WITH_SETTINGS, JSON.stringify(settings)];
}

/** Reads the argument. `readConfig` checks the result: it rejects unknown settings and values outside their bounds. */
export function readSettingsArgument(json = "{}"): SettingsOverrides {
  return JSON.parse(json) as SettingsOverrides;
}
