/** Who the server took this browser for when it handed out the page. */
import { PageViewer, VIEWER_META_NAME } from "../../../common/api.ts";

/** @returns null where the page came from a server that does not say, as the one for development does not */
export function readPageViewer(page: Document): PageViewer | null {
  const text = page.querySelector(`meta[name="${VIEWER_META_NAME}"]`)?.getAttribute("content");
  return text ? PageViewer.parse(JSON.parse(text)) : null;
}
