/**
 * Runs in the page: finds texts that a box with hidden overflow cuts off. Texts with a `title` may be shortened, because
 * the title has them in full, and a field for a message scrolls.
 * @returns the start of each text, with its width and that of the box
 */
export function cutTexts(): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (
      !parent?.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) ||
      text === "" ||
      parent.closest("[title], option, textarea")
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const shown = range.getBoundingClientRect();
    for (let box: HTMLElement | null = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, contain, clipPath, display } = getComputedStyle(box);
      // Texts for screen readers only.
      if (clipPath !== "none" || (box.offsetWidth <= 1 && overflowX === "hidden")) break;
      if (display === "inline" || (overflowX === "visible" && !/strict|content|paint/.test(contain))) continue;
      const frame = box.getBoundingClientRect();
      // Some letters are wider than the figures of their font say.
      if (shown.left >= frame.left - 1 && shown.right <= frame.right + 1 && shown.bottom <= frame.bottom + 2) continue;
      found.push(`${text.slice(0, 30)}: ${Math.round(shown.width)} px in ${Math.round(frame.width)} px`);
      break;
    }
  }
  return found;
}
