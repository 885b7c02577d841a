/** How tests start Chromium. */

/**
 * Two processes that Chromium starts for each new window, which no test uses and which take 40 % of the CPU of opening
 * a page: the suggestions below its address bar, and a renderer for the next site.
 */
const UNUSED_PROCESSES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
];

/** What Playwright turns off itself; Chromium follows only the last list of its command line. */
const OFF_IN_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

export const CHROMIUM = {
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: [
    "--disable-background-networking",
    "--disable-component-update",
    `--disable-features=${[...OFF_IN_PLAYWRIGHT, ...UNUSED_PROCESSES].join(",")}`,
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
};
