/** The manifests of the extension: what is the same in both browsers, and what each wants in its own way. Pure. */
import { DEFAULT_LANGUAGE } from "../../common/languages.ts";

export const BROWSERS = ["chrome", "firefox"] as const;
export type BrowserName = (typeof BROWSERS)[number];

/** Of the site. */
export const ICONS = ["favicon-32.png", "icon-192.png", "icon-512.png"] as const;
const icons = Object.fromEntries(ICONS.map((file) => [/\d+/.exec(file)?.[0] ?? "", file]));

const SAME = {
  manifest_version: 3,
  name: "Tapedeck",
  description: "__MSG_about__",
  default_locale: DEFAULT_LANGUAGE,
  icons,
  action: { default_icon: icons, default_title: "__MSG_convert__" },
  options_ui: { page: "options.html", open_in_tab: true },
  permissions: ["activeTab", "alarms", "downloads", "storage"],
  // Of these, the extension asks for that of the server in its settings.
  optional_host_permissions: ["http://*/*", "https://*/*"],
  content_security_policy: {
    // Firefox's own policy would turn http: into https:, also for a server on this machine.
    extension_pages:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src http: https:",
  },
} as const;

const BACKGROUND = "background.js";

const OWN: Readonly<Record<BrowserName, object>> = {
  chrome: {
    // The first that wakes the background twice a minute.
    minimum_chrome_version: "120",
    background: { service_worker: BACKGROUND, type: "module" },
  },
  firefox: {
    background: { scripts: [BACKGROUND], type: "module" },
    browser_specific_settings: {
      gecko: {
        id: "tapedeck@tapedeck.example",
        // The first that asks its user for what `data_collection_permissions` names.
        strict_min_version: "140.0",
        // The address of a page goes to the server that its user has named, with that user's token.
        data_collection_permissions: { required: ["authenticationInfo", "browsingActivity"] },
      },
    },
  },
};

/** @param version such as "1.2.3" */
export function manifestFor(browser: BrowserName, version: string): object {
  return { ...SAME, version, ...OWN[browser] };
}
