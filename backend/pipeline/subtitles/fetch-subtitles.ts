/** Fetches the subtitles of one language. */
import { ConversionError } from "../../../common/errors.ts";
import type { Work } from "../conversion.ts";
import { fetchRemoteFile } from "../fetch/remote-file.ts";
import { RequestPauses } from "../fetch/request-pauses.ts";
import { retry } from "../fetch/retry.ts";
import type { Exit } from "../exits/exit.ts";
import { parseCues, withoutRepeats, type Cue } from "./cues.ts";
import type { SubtitleSource } from "../probe/subtitle-list.ts";

/** Ten hours of automatic subtitles, which repeat their lines and time each word, have about 8 MB. */
const MAX_BYTES = 10_000_000;

/** Subtitles that go into a file, on the time line of the whole video. */
export interface Subtitles {
  readonly language: string;
  readonly cues: readonly Cue[];
}

/** What these codes say of a video is here true of its subtitles only. */
const MISSING: ReadonlySet<string> = new Set(["unavailable", "too_large"]);

function withoutSubtitles(error: unknown): unknown {
  if (!(error instanceof ConversionError) || !MISSING.has(error.code)) return error;
  return new ConversionError("no_subtitles", { detail: error.detail, cause: error });
}

/**
 * @param exit that of the extraction; the site may refuse the address to any other
 * @returns at least one cue
 * @throws ConversionError "no_subtitles" when the file is missing, too large or without text; else what
 *   {@link fetchRemoteFile} throws
 * @throws TooManyRequests when the site asks for longer pauses than allowed; `signal.reason` when aborted
 */
export async function fetchSubtitles(
  { pipeline, listener, signal }: Work,
  source: SubtitleSource,
  exit: Exit | undefined,
): Promise<Subtitles> {
  const { hostSemaphore, limits } = pipeline;
  using session = pipeline.guard.open(2 * MAX_BYTES, { exit });
  using pauses = new RequestPauses({ maxMs: limits.maxSiteWaitMs, onPause: (untilMs) => listener.waiting?.(untilMs) });
  const request = { url: source.url, maxBytes: MAX_BYTES, timeoutMs: limits.stallTimeoutMs, hostSemaphore };
  const { body } = await retry(() => fetchRemoteFile(session, request, signal), pauses, signal).catch(
    (error: unknown) => {
      throw withoutSubtitles(error);
    },
  );
  const cues = parseCues(new TextDecoder().decode(body));
  if (cues.length === 0)
    throw new ConversionError("no_subtitles", { detail: `no text in ${body.length} bytes of ${source.language}` });
  return { language: source.language, cues: source.isAutomatic ? withoutRepeats(cues) : cues };
}
