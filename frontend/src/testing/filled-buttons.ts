/** At most one button of a screen is filled. */

function colorOf(token: "accent" | "bad"): string {
  const filled = document.createElement("div");
  filled.style.backgroundColor = `var(--chakra-colors-${token})`;
  document.body.append(filled);
  const { backgroundColor } = getComputedStyle(filled);
  filled.remove();
  return backgroundColor;
}

/** @returns the names of the filled buttons of the page, without those of the prices and the link that only the keyboard brings */
export function filledButtons(): string[] {
  const fills = new Set([colorOf("accent"), colorOf("bad")]);
  const buttons = document.querySelectorAll<HTMLElement>(":is(a, button):not([href='#content'])");
  return [...buttons]
    .filter((button) => !button.closest("#pricing") && fills.has(getComputedStyle(button).backgroundColor))
    .map((button) => button.ariaLabel ?? button.textContent);
}
