/** @returns the code of a bookmark that opens our page in a new tab, with the address of the page it is pressed on */
export function bookmarkCode(origin: string): string {
  return `javascript:void window.open('${origin}/?url='+encodeURIComponent(location.href),'_blank','noopener')`;
}
