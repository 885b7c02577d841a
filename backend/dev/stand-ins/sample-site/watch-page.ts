/** The HTML around a video: what browsers show and what extractors read. */
import { text } from "./answers.ts";
import type { Address, Answer, Places } from "./exchange.ts";

export interface Video {
  readonly title: string;
  readonly media: Address;
  /** What the page says the media is; extractors believe it. */
  readonly type: string;
  /** What the page says; absent: it says nothing. */
  readonly durationSeconds?: number;
  readonly sizeBytes?: number;
  readonly thumbnail?: Address;
}

/** The page as a reader gets it. */
export function watchPage(video: Video): Answer {
  return text("text/html; charset=utf-8", ({ places }) => watchHtml(video, places));
}

/**
 * The metadata is JSON-LD, the one form from which yt-dlp's generic extractor takes title, duration,
 * thumbnail and address together; a `<video>` element would win over it and hide the duration.
 */
export function watchHtml(video: Video, places: Places): string {
  const media = video.media(places);
  const thumbnail = video.thumbnail?.(places);
  const metadata = {
    "@context": "https://schema.org",
    "@type": video.type.startsWith("audio/") ? "AudioObject" : "VideoObject",
    name: video.title,
    contentUrl: media,
    encodingFormat: video.type,
    ...(thumbnail === undefined ? {} : { thumbnailUrl: [thumbnail] }),
    ...(video.durationSeconds === undefined ? {} : { duration: `PT${video.durationSeconds}S` }),
    ...(video.sizeBytes === undefined ? {} : { contentSize: String(video.sizeBytes) }),
  };
  const title = escapeHtml(video.title);
  const image = thumbnail === undefined ? "" : escapeHtml(thumbnail);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta property="og:title" content="${title}">
${image && `<meta property="og:image" content="${image}">`}
<script type="application/ld+json">${JSON.stringify(metadata).replaceAll("<", "\\u003c")}</script>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}img{width:100%;border-radius:12px}</style>
</head>
<body>
${image && `<img src="${image}" alt="">`}
<h1>${title}</h1>
<p>A page of the sample site. <a href="${escapeHtml(media)}">The recording itself</a></p>
</body>
</html>
`;
}

export function escapeHtml(raw: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return raw.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
