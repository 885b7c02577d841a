import axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Locator } from "vitest/browser";

/** @returns one line per rule of accessibility that the page violates, with the elements that violate it */
export async function violationsOfPage(): Promise<string[]> {
  return violationsOf({ resultTypes: ["violations"] });
}

/** @returns the same of a part of the page, in a fraction of the time: for states that change this part alone */
export async function violationsIn(part: Locator): Promise<string[]> {
  return violationsOf({ resultTypes: ["violations"] }, part.element());
}

/** @returns the same without one rule */
export async function violationsExcept(rule: string): Promise<string[]> {
  return violationsOf({ resultTypes: ["violations"], rules: { [rule]: { enabled: false } } });
}

/** @returns the same for the contrast of the dark colours */
export async function violationsInDark(): Promise<string[]> {
  const { style } = document.documentElement;
  style.colorScheme = "dark";
  // Finishes colour transitions, which start with the next frame.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  const violations = await violationsOf({ resultTypes: ["violations"], runOnly: ["color-contrast"] });
  style.colorScheme = "";
  return violations;
}

async function violationsOf(options: RunOptions, part: Document | Element = document): Promise<string[]> {
  const { violations } = await axe.run(part, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
}
