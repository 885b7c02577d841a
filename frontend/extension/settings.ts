/** What the options page stores: which server, which token, and what pages are converted to. */
import { z } from "zod";
import { browser } from "./browser.ts";
import { ExtensionFormat } from "./extension-format.ts";

export const Settings = z.object({
  /** An origin. */
  server: z.url({ protocol: /^https?$/ }),
  token: z.string().min(1),
  format: ExtensionFormat,
});
export type Settings = z.infer<typeof Settings>;

export const SETTINGS_KEY = "settings";

/** @returns undefined before the first use of the options page */
export async function readSettings(): Promise<Settings | undefined> {
  return Settings.safeParse((await browser.storage.local.get(SETTINGS_KEY))[SETTINGS_KEY]).data;
}

export async function writeSettings(settings: Settings): Promise<void> {
  await browser.storage.local.set({ [SETTINGS_KEY]: settings });
}

/** The permission to call a server. Patterns without a port are for all ports; Firefox knows no others. */
export function permissionFor(server: string): { readonly origins: readonly string[] } {
  const { protocol, hostname } = new URL(server);
  return { origins: [`${protocol}//${hostname}/*`] };
}
