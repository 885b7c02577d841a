/** The name under which a browser saves a file: the whole title, in whatever script. */
import type { Format } from "../../common/tiers.ts";

/**
 * Only what could name a folder or turn text around unseen is taken out. Browsers replace what their
 * own file system refuses and shorten to its limit; doing either here would cost everybody else.
 */
export function downloadName(title: string, format: Format): string {
  const cleaned = title
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[/\\]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return `${cleaned === "" ? "video" : cleaned}.${format}`;
}
