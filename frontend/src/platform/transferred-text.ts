/** Text that is dragged or pasted to the page. */

/** Elements that take text themselves. */
export const EDITABLE = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

const TEXT_TYPES = new Set(["text/uri-list", "text/plain"]);

export const hasText = (data: DataTransfer): boolean => data.types.some((type) => TEXT_TYPES.has(type));

export function droppedText(data: DataTransfer): string {
  // In text/uri-list, lines that begin with # are comments.
  const list = data.getData("text/uri-list").replaceAll(/^#.*$/gm, "");
  return list.trim() === "" ? data.getData("text/plain") : list;
}
