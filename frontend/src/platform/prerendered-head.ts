/** Collects the metadata of a page that is prerendered at build time, where there is no document. */

export const prerenderedHead = { title: "", description: "", isPrivate: false };

export function recordHead(part: Partial<typeof prerenderedHead>): void {
  if (typeof document === "undefined") Object.assign(prerenderedHead, part);
}
