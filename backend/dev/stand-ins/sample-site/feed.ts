/** A podcast's feed, the only list that yt-dlp's generic extractor reads with titles and lengths. */
import type { Address, PageContext } from "./exchange.ts";
import { escapeHtml } from "./watch-page.ts";

export interface FeedEntry {
  readonly title: string;
  readonly link: Address;
  readonly durationSeconds?: number;
}

/** @returns RSS 2.0 with the elements of iTunes */
export function feedXml(title: string, entries: readonly FeedEntry[], context: PageContext): string {
  const items = entries.map(
    ({ title: name, link, durationSeconds }) =>
      `<item><title>${escapeHtml(name)}</title><link>${escapeHtml(link(context))}</link>` +
      `${durationSeconds === undefined ? "" : `<itunes:duration>${durationSeconds}</itunes:duration>`}</item>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">` +
    `<channel><title>${escapeHtml(title)}</title>${items.join("\n")}</channel></rss>\n`
  );
}
