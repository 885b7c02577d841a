import axe from "axe-core";

/** @returns one line per rule of accessibility that the page violates, with the elements that violate it */
export async function violationsOfPage(): Promise<string[]> {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
}
