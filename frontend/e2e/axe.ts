/** Runs the accessibility checker axe on a page. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

export interface Look {
  /** Rules to check; by default those of axe. */
  readonly rules?: readonly string[];
  readonly exceptRules?: readonly string[];
  /** Selector of elements to leave out. */
  readonly exceptPart?: string;
}

/** @returns one line per violated rule, with the elements that violate it */
export async function violationsOf(page: Page, { rules, exceptRules = [], exceptPart }: Look = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({
    // Skips the detailed report of passed rules.
    resultTypes: ["violations"],
    rules: Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }])),
    ...(rules ? { runOnly: { type: "rule", values: [...rules] } } : {}),
  });
  if (exceptPart !== undefined) axe.exclude(exceptPart);
  // Only pages with frames of other origins need the slower mode, which merges results in a second page.
  if (page.frames().length === 1) axe.setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
}
