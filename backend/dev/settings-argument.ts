/** Settings on the command line of a server process that a test or bench starts. */
import type { SettingsOverrides } from "../config/settings.ts";

/** The entry that takes them, relative to the repository. */
export const MAIN_WITH_SETTINGS = "backend/dev/main-with-settings.ts";

/** @returns arguments for node that start a server with these settings */
export function serverArguments(settings: SettingsOverrides): [string, string] {
  return [MAIN_WITH_SETTINGS, JSON.stringify(settings)];
}

/** `readConfig` checks what this returns: it refuses unknown settings and values outside their bounds. */
export function readSettingsArgument(json = "{}"): SettingsOverrides {
  return JSON.parse(json) as SettingsOverrides;
}
