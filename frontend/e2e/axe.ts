/** What the accessibility checker finds wrong with a page as it stands. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

export interface Look {
  /** All that the checker has by default, unless named. */
  readonly rules?: readonly string[];
  readonly exceptRules?: readonly string[];
  /** A selector of what is left out. */
  readonly exceptPart?: string;
}

/** One line a rule that is broken, with the elements that break it. */
export async function violationsOf(page: Page, { rules, exceptRules = [], exceptPart }: Look = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({
    // What is in order would be described as thoroughly as what is not, and thrown away.
    resultTypes: ["violations"],
    rules: Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }])),
    ...(rules ? { runOnly: { type: "rule", values: [...rules] } } : {}),
  });
  if (exceptPart !== undefined) axe.exclude(exceptPart);
  // Only frames of other origins need a second page, to put together what was found in each.
  if (page.frames().length === 1) axe.setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
}
