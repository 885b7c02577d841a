/** Runs the accessibility checker axe on a page. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

export interface CheckOptions {
  /** Rules to check; by default those of axe. */
  readonly rules?: readonly string[];
  readonly exceptRules?: readonly string[];
  readonly excludedSelector?: string;
}

/** @returns one line per violated rule, with the elements that violate it */
export async function violationsOf(
  page: Page,
  { rules, exceptRules = [], excludedSelector }: CheckOptions = {},
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({
    // Skips the detailed report of passed rules.
    resultTypes: ["violations"],
    rules: Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }])),
    runOnly: rules && { type: "rule", values: [...rules] },
  });
  if (excludedSelector !== undefined) axe.exclude(excludedSelector);
  // Only pages with frames of other origins need the slower mode, which merges results in a second page.
  if (page.frames().length === 1) axe.setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
}
