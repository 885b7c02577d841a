/** The name under which a browser saves a file: the title, less what file systems do not take. */
import type { Format } from "../../common/tiers.ts";

/** Names longer than 255 bytes do not fit common file systems; some room is left for " (1)". */
const MAX_NAME_BYTES = 240;

export function downloadName(title: string, format: Format): string {
  const cleaned = title
    // Path separators, what Windows refuses, control characters, and marks that turn text around unseen.
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[/\\:*?"<>|]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return `${fit(cleaned === "" ? "video" : cleaned, MAX_NAME_BYTES - format.length - 1)}.${format}`;
}

/** Cut between characters as people see them, never inside one. */
function fit(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(kept + segment) > maxBytes) break;
    kept += segment;
  }
  return kept.trimEnd();
}
