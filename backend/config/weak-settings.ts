import type { Config } from "./config.ts";

/** @returns sentences about settings that work, but that an operator would not want in production */
export function findWeakSettings({ isProduction, env, publicUrl, contacts }: Config): string[] {
  if (!isProduction) return [];
  const warnings: string[] = [];
  if (!publicUrl.startsWith("https:"))
    warnings.push(
      `PUBLIC_URL is ${publicUrl}, without https: cookies are weak, because everybody between a visitor and this server ` +
        "can read and replace them. Put a proxy with TLS in front, and set PUBLIC_URL to its https address",
    );
  if (env.SUPPORT_EMAIL === undefined)
    warnings.push(`SUPPORT_EMAIL is not set: the pages name ${contacts.supportEmail}`);
  return warnings;
}
