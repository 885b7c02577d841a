/** Runs the accessibility checker axe on a page. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

export interface CheckOptions {
  /** Rules to check; by default those of axe. */
  readonly rules?: readonly string[] | undefined;
  readonly excludedSelector?: string;
}

/** @returns one line per violated rule, with the elements that violate it */
export async function violationsOf(page: Page, { rules, excludedSelector }: CheckOptions = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({
    // Skips the detailed report of passed rules.
    resultTypes: ["violations"],
    runOnly: rules && { type: "rule", values: [...rules] },
  });
  if (excludedSelector !== undefined) axe.exclude(excludedSelector);
  // Only pages with frames of other origins need the slower mode, which merges results in a second page.
  if (page.frames().length === 1) axe.setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
}

/**
 * Expects no violations in light and dark; in dark only the contrast rule is checked again.
 * @param what what is checked, for the message
 */
export async function expectAccessible(
  page: Page,
  what: string,
  options: Pick<CheckOptions, "excludedSelector"> = {},
): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Finishes colour transitions, which start with the next frame.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    });
    const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
    // Polls, because elements may still fade in or out.
    await expect
      .poll(() => violationsOf(page, { ...options, rules }), { message: `${what}, ${colorScheme}` })
      .toEqual([]);
  }
}
