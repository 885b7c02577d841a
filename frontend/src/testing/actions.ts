/** What a visitor does with a page, and its clock. */
import { vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { Locator } from "vitest/browser";

/** Focuses an element and presses keys, as `{Enter}`. */
export async function press(element: Locator, keys: string): Promise<void> {
  const focused = await element.findElement();
  if (focused instanceof HTMLElement) focused.focus();
  await userEvent.keyboard(keys);
}

/** Ends the 0.7 s in which what has just come takes no tap, and for which a click would wait. */
export function takeTaps(part: Element | null): void {
  for (const animation of part?.getAnimations() ?? []) animation.finish();
}

/** Stops the clock of the page; `vi.advanceTimersByTimeAsync` moves it. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
}
