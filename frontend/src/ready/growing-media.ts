/**
 * Gives a file to a media element while the file is made.
 *
 * Browsers seek in an answer only if it states its length; measured in Chromium, any seek in another one goes back to the
 * start. So an answer with a length is left to the element, which asks for ranges of it, and the bytes of any other one go
 * through a MediaSource: MP3, and MP4 in fragments.
 */

/** Browsers hold less than a long file, and drop what was played when they need room. */
const NO_ROOM = "QuotaExceededError";

type Sources = Partial<Record<"MediaSource" | "ManagedMediaSource", typeof MediaSource>>;

const { MediaSource: Usual, ManagedMediaSource: Managed } = globalThis as unknown as Sources;
/** iPhones have the managed one only. */
const Source = Usual ?? Managed;

/** Whether this browser can play such a file while it is made. */
export const canGrow = (): boolean => Source !== undefined;

async function once(target: EventTarget, type: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const ended = new AbortController();
  await new Promise<void>((resolve, reject) => {
    target.addEventListener(type, () => resolve(), { signal: ended.signal });
    signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")), { signal: ended.signal });
  }).finally(() => ended.abort());
}

/**
 * @param bytes the beginning of an MP4 in fragments
 * @returns the type with its codecs; undefined while the bytes do not tell all of them
 */
export function typeOfFragments(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  if (!text.includes("moof")) return undefined;
  const avc = text.indexOf("avcC");
  // Profile, constraints and level come behind the box's name and version (ISO/IEC 14496-15, 5.3.3.1.2).
  const profile = [...bytes.subarray(avc + 5, avc + 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const codecs = [...(avc < 0 ? [] : [`avc1.${profile}`]), ...(text.includes("mp4a") ? ["mp4a.40.2"] : [])];
  return `video/mp4; codecs="${codecs.join(", ")}"`;
}

/**
 * Resolves when the browser has got all of the file, or gets it by itself.
 * @param durationSeconds as far as it is known
 * @param play called when the element has a source
 * @throws TypeError or DOMException when the file cannot be got or played
 */
export async function playGrowing(
  element: HTMLMediaElement,
  url: string,
  durationSeconds: number | undefined,
  signal: AbortSignal,
  play: () => void,
): Promise<void> {
  const answer = await fetch(url, { signal });
  if (!answer.ok || !answer.body) throw new TypeError(`The file was answered with ${answer.status}`);
  if (answer.headers.has("Content-Length")) {
    await answer.body.cancel();
    signal.throwIfAborted();
    element.src = url;
    play();
    return;
  }
  if (!Source) throw new TypeError("This browser has no MediaSource");
  const source = new Source();
  element.disableRemotePlayback = true;
  const address = URL.createObjectURL(source);
  signal.addEventListener("abort", () => URL.revokeObjectURL(address), { once: true });
  const opened = once(source, "sourceopen", signal);
  element.src = address;
  play();
  await opened;
  await append(source, element, answer, durationSeconds, signal);
  if (source.readyState === "open") source.endOfStream();
}

async function append(
  source: MediaSource,
  element: HTMLMediaElement,
  answer: Response,
  durationSeconds: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const isMp4 = answer.headers.get("Content-Type") === "video/mp4";
  let buffer: SourceBuffer | undefined;
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting.push(value);
    const bytes = new Uint8Array(await new Blob(waiting).arrayBuffer());
    if (!buffer) {
      const type = isMp4 ? typeOfFragments(bytes) : "audio/mpeg";
      if (type === undefined) continue;
      buffer = source.addSourceBuffer(type);
      if (durationSeconds !== undefined) source.duration = durationSeconds;
    }
    waiting = [];
    await appendBytes(buffer, bytes, element, signal);
  }
}

async function appendBytes(
  buffer: SourceBuffer,
  bytes: Uint8Array<ArrayBuffer>,
  element: HTMLMediaElement,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      buffer.appendBuffer(bytes);
      return await once(buffer, "updateend", signal);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === NO_ROOM)) throw error;
      // Until more has been played.
      await once(element, "timeupdate", signal);
    }
  }
}
