/** At most one button of a screen is filled. */

/** @returns the names of the filled buttons of the page, without those of the prices and the link that only the keyboard brings */
export function filledButtons(): string[] {
  const accent = document.createElement("div");
  accent.style.backgroundColor = "var(--chakra-colors-accent)";
  document.body.append(accent);
  const { backgroundColor } = getComputedStyle(accent);
  accent.remove();
  const buttons = document.querySelectorAll<HTMLElement>(":is(a, button):not([href='#content'])");
  return [...buttons]
    .filter((button) => !button.closest("#pricing") && getComputedStyle(button).backgroundColor === backgroundColor)
    .map((button) => button.ariaLabel ?? button.textContent);
}
