/** The visitor's identity that the server has written into the page. */
import { PageViewer, VIEWER_META_NAME } from "../../../common/api.ts";

/** @returns null when the server has not written it, such as the development server */
export function readPageViewer(page: Document): PageViewer | null {
  const text = page.querySelector(`meta[name="${VIEWER_META_NAME}"]`)?.getAttribute("content");
  return text ? PageViewer.parse(JSON.parse(text)) : null;
}
