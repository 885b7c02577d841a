/** What a page says of itself while it is drawn at build time, where there is no document to write it to. */

export const drawnHead = { title: "", description: "" };

export function noteDrawnHead(part: Partial<typeof drawnHead>): void {
  if (typeof document === "undefined") Object.assign(drawnHead, part);
}
