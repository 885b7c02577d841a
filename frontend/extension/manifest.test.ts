import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LANGUAGE_CODES } from "../../common/languages.ts";
import { BROWSERS, ICONS, manifestFor } from "./manifest.ts";
import { CATALOGUES } from "./texts/catalogues.ts";

/** What both browsers demand; whoever adds a permission decides it here too. */
const Shared = {
  manifest_version: z.literal(3),
  name: z.string().max(75),
  version: z.string().regex(/^\d+(\.\d+){0,3}$/),
  description: z.literal("__MSG_about__"),
  default_locale: z.literal("en"),
  icons: z.record(z.string().regex(/^\d+$/), z.enum(ICONS)),
  action: z.strictObject({
    default_icon: z.record(z.string().regex(/^\d+$/), z.enum(ICONS)),
    default_title: z.literal("__MSG_convert__"),
  }),
  options_ui: z.strictObject({ page: z.literal("options.html"), open_in_tab: z.boolean() }),
  permissions: z.tuple([z.literal("activeTab"), z.literal("alarms"), z.literal("downloads"), z.literal("storage")]),
  optional_host_permissions: z.array(z.enum(["http://*/*", "https://*/*"])),
  content_security_policy: z.strictObject({
    extension_pages: z.string().regex(/^default-src 'none'; script-src 'self';(?!.*(?:unsafe|upgrade))/),
  }),
};

const Manifests = {
  chrome: z.strictObject({
    ...Shared,
    minimum_chrome_version: z.string().regex(/^\d+$/),
    background: z.strictObject({ service_worker: z.literal("background.js"), type: z.literal("module") }),
  }),
  firefox: z.strictObject({
    ...Shared,
    background: z.strictObject({ scripts: z.tuple([z.literal("background.js")]), type: z.literal("module") }),
    browser_specific_settings: z.strictObject({
      gecko: z.strictObject({
        id: z.string().regex(/^[\w.-]+@[\w.-]+$/),
        strict_min_version: z.string().regex(/^\d+\.\d+$/),
        data_collection_permissions: z.strictObject({ required: z.array(z.string()).min(1) }),
      }),
    }),
  }),
};

describe.each(BROWSERS)("the manifest for %s", (browser) => {
  it("has what the browser demands, and no more permissions than are used", () =>
    expect(Manifests[browser].safeParse(manifestFor(browser, "1.2.3")).error).toBeUndefined());
});

it("names icons of the site in their sizes", () => {
  for (const icon of ICONS) {
    const file = path.join(import.meta.dirname, "../public", icon);
    expect(existsSync(file)).toBe(true);
    // Width and height follow the first eight bytes and the head of the first chunk of a PNG.
    const head = readFileSync(file);
    expect([head.readUInt32BE(16), head.readUInt32BE(20)]).toEqual(Array(2).fill(Number(/\d+/.exec(icon)?.[0])));
  }
});

it("has its texts in every language, each as long as stores take it", () => {
  expect(Object.keys(CATALOGUES).sort()).toEqual([...LANGUAGE_CODES].sort());
  for (const [language, texts] of Object.entries(CATALOGUES)) {
    expect(texts.language).toBe(language);
    expect(texts.about.length).toBeLessThanOrEqual(132);
    if (language === "en") continue;
    const { title, ...options } = texts.pages.options;
    expect([texts.convert, texts.lost, title, options.aboutToken]).not.toContain(CATALOGUES.en.convert);
    const english = new Set<unknown>(Object.values(CATALOGUES.en.pages.options));
    const same = Object.entries(texts.pages.options).filter(([, text]) => english.has(text));
    expect([language, same.map(([key]) => key)]).toEqual([
      language,
      language === "de" || language === "es" ? ["token"] : [],
    ]);
  }
});
