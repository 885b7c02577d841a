/** Notes the toasts that a page has shown: on a busy machine one is gone before the test looks. */
import { expect } from "vitest";

const SELECTOR = "[data-scope=toast][data-part=root]";

let seen = new WeakSet<Element>();
let texts: string[] = [];

export function noteToasts(): void {
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll(SELECTOR)) {
      if (seen.has(toast)) continue;
      seen.add(toast);
      texts.push(toast.textContent);
    }
  }).observe(document, { subtree: true, childList: true });
}

export function forgetToasts(): void {
  seen = new WeakSet();
  texts = [];
}

/** Expects that a toast with a text has been shown since the last one that was expected. */
export async function expectToastShown(text: string): Promise<void> {
  await expect.poll(() => texts.findLast((shown) => shown.includes(text)) ?? texts.join("\n")).toContain(text);
  texts = [];
}
