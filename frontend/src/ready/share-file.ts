/**
 * Gives files to the share menu of the phone. An iPhone shows a file that an installed app opens in a preview without a
 * way back.
 */
import type { DownloadNotesStore, Sharing } from "../stores/download-notes.ts";

/** The file is in the memory of the phone until it is shared, and iOS ends apps that take too much of it. */
export const MAX_SHARED_BYTES = 300_000_000;

/** The part of the browser that is needed. */
export interface Sharer {
  readonly fetch: typeof window.fetch;
  /** Absent in browsers that share no files. */
  readonly canShare?: Navigator["canShare"];
  readonly share?: Navigator["share"];
}

/** @returns that of the page's browser */
export function sharerOf(window: Window): Sharer {
  const { navigator } = window;
  return {
    fetch: (...request) => window.fetch(...request),
    canShare: navigator.canShare?.bind(navigator),
    share: navigator.share?.bind(navigator),
  };
}

class TooLargeError extends Error {}

/** @returns what a click on Download does: it loads the file, and opens the share menu as soon as that is allowed */
export function createFileSharing(notes: DownloadNotesStore, { fetch, canShare, share }: Sharer) {
  /** Only the last file is kept. */
  let loaded: { readonly url: string; readonly file: File } | null = null;

  function note(url: string, sharing?: Sharing): void {
    notes.setState(({ sharings }) => ({ sharings: { ...sharings, [url]: sharing } }));
  }

  async function load(url: string): Promise<File> {
    note(url, { state: "loading", percent: null });
    const answer = await fetch(url);
    if (!answer.ok || !answer.body) throw new TypeError(`The file was answered with ${answer.status}`);
    const totalBytes = Number(answer.headers.get("Content-Length"));
    const parts = await readParts(answer.body, totalBytes, (percent) => note(url, { state: "loading", percent }));
    const type = answer.headers.get("Content-Type") ?? "";
    return new File(parts, fileNameIn(answer.headers.get("Content-Disposition") ?? ""), { type });
  }

  async function open(url: string, file: File): Promise<void> {
    loaded = { url, file };
    try {
      await share?.({ files: [file] });
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      // iOS opens the menu only within a few seconds of a press.
      if (error.name === "NotAllowedError") return note(url, { state: "ready" });
      // The visitor has closed the menu.
      if (error.name !== "AbortError") return note(url, { state: "unsupported" });
    }
    loaded = null;
    note(url);
  }

  return async function shareFile(url: string): Promise<void> {
    if (notes.getState().sharings[url]?.state === "loading") return;
    if (!canShare || !share) return note(url, { state: "unsupported" });
    try {
      const file = loaded?.url === url ? loaded.file : await load(url);
      if (canShare({ files: [file] })) await open(url, file);
      else note(url, { state: "unsupported" });
    } catch (error) {
      if (error instanceof TooLargeError) note(url, { state: "tooLarge" });
      // What fetch and the reading of its answer throw when the connection breaks.
      else if (error instanceof TypeError || error instanceof DOMException) note(url, { state: "failed" });
      else throw error;
    }
  };
}

/**
 * @param totalBytes 0 if it is not known
 * @throws TooLargeError
 */
async function readParts(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  totalBytes: number,
  onPercent: (percent: number) => void,
): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  const reader = body.getReader();
  let readBytes = 0;
  let shown = -1;
  for (;;) {
    if (Math.max(totalBytes, readBytes) > MAX_SHARED_BYTES) {
      await reader.cancel();
      throw new TooLargeError();
    }
    const { done, value } = await reader.read();
    if (done) return parts;
    parts.push(value);
    readBytes += value.length;
    const percent = totalBytes > 0 ? Math.floor((readBytes / totalBytes) * 100) : shown;
    if (percent > shown) onPercent(percent);
    shown = percent;
  }
}

/** @returns the name that the server has given the file (RFC 6266) */
function fileNameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="?([^";]+)/i.exec(disposition)?.[1] ?? "file";
}
