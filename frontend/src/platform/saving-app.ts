/** Apps in which a link to a file does not save it. */

export interface SavingApp {
  /** `installed`: this site on the home screen of an iPhone or iPad. `inside`: the page is shown inside another app. */
  readonly kind: "installed" | "inside";
  readonly isAndroid: boolean;
}

/**
 * Names in the user agent of apps that show pages themselves: Facebook (FBAN, FBAV, FB_IAB), Instagram, WhatsApp,
 * Telegram, TikTok (musical_ly, BytedanceWebview), LINE, Snapchat, WeChat; and `; wv)`, which every Android WebView has.
 */
const INSIDE =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|WhatsApp|Telegram(?:-Android)?|musical_ly|TikTok|BytedanceWebview|Line|Snapchat|MicroMessenger)\b|; wv\)/;

/** @returns null where the browser saves files itself */
export function savingAppOf(navigator: {
  readonly userAgent: string;
  readonly standalone?: unknown;
}): SavingApp | null {
  const { userAgent, standalone } = navigator;
  // Only iOS and iPadOS have it.
  if (standalone === true) return { kind: "installed", isAndroid: false };
  return INSIDE.test(userAgent) ? { kind: "inside", isAndroid: userAgent.includes("Android") } : null;
}

/**
 * Android opens this address in the visitor's browser.
 * @param address with https or http
 */
export function intentLink(address: string): string {
  const { protocol, host, pathname, search } = new URL(address);
  const fallback = encodeURIComponent(address);
  return `intent://${host}${pathname}${search}#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;S.browser_fallback_url=${fallback};end`;
}
