import { PageViewer, VIEWER_META_NAME } from "../../../common/api.ts";

/**
 * Reads the visitor's identity that the server has written into the page.
 * @returns null without one, as on pages of the development server
 */
export function readPageViewer(page: Document): PageViewer | null {
  const text = page.querySelector(`meta[name="${VIEWER_META_NAME}"]`)?.getAttribute("content");
  return text ? PageViewer.parse(JSON.parse(text)) : null;
}
