/** Collects title and description of a page that is prerendered at build time, where there is no document. */

export const drawnHead = { title: "", description: "" };

export function noteDrawnHead(part: Partial<typeof drawnHead>): void {
  if (typeof document === "undefined") Object.assign(drawnHead, part);
}
