/** The HTML page of a video, for browsers and extractors. */
import { text } from "./answers.ts";
import type { Address, Answer, PageContext } from "./exchange.ts";

/** A clip of schema.org, in seconds. */
export interface Chapter {
  readonly name: string;
  readonly startOffset: number;
  readonly endOffset?: number;
}

export interface Video {
  readonly title: string;
  readonly media: Address;
  /** Media type in the metadata; extractors believe it. */
  readonly type: string;
  /** Length in the metadata; left out when undefined. */
  readonly durationSeconds?: number;
  readonly sizeBytes?: number;
  readonly thumbnail?: Address;
  readonly chapters?: readonly Chapter[];
}

export function watchPage(video: Video): Answer {
  return text("text/html; charset=utf-8", ({ context }) => watchHtml(video, context));
}

/**
 * Metadata is JSON-LD, the only form from which yt-dlp's generic extractor takes title, duration, thumbnail and
 * address together. With a `<video>` element it would ignore the JSON-LD and its duration.
 */
export function watchHtml(video: Video, context: PageContext): string {
  const media = video.media(context);
  const thumbnail = video.thumbnail?.(context);
  const metadata = {
    "@context": "https://schema.org",
    "@type": video.type.startsWith("audio/") ? "AudioObject" : "VideoObject",
    name: video.title,
    contentUrl: media,
    encodingFormat: video.type,
    thumbnailUrl: thumbnail === undefined ? undefined : [thumbnail],
    duration: video.durationSeconds === undefined ? undefined : `PT${video.durationSeconds}S`,
    hasPart: video.chapters?.map((chapter) => ({ "@type": "Clip", ...chapter })),
    contentSize: video.sizeBytes === undefined ? undefined : String(video.sizeBytes),
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
<style>
body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}
img{width:100%;border-radius:12px}
</style>
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
