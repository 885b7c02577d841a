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

/** Stops the clock of the page; `vi.advanceTimersByTimeAsync` moves it. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
}
