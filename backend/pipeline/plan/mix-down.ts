/** Mixes sound with more than two channels down to two. Pure. */
import type { AudioStream } from "../probe/media-file.ts";

/** Up to this many channels ffmpeg knows, or guesses, for which speakers they are. */
const MAX_GUESSED_CHANNELS = 8;

/** Whether each channel is for a speaker; if not, nothing can play the channels as they are. */
export function isForSpeakers({ channelCount, layout }: AudioStream): boolean {
  if (layout?.startsWith("ambisonic")) return false;
  return channelCount <= MAX_GUESSED_CHANNELS || layout !== undefined;
}

/** @returns a filter; surround sound is mixed down by ITU-R BS.775 */
export function mixDown(stream: AudioStream): string {
  const { channelCount, layout = "" } = stream;
  if (isForSpeakers(stream)) return "aformat=sample_fmts=fltp:channel_layouts=stereo";
  // Of many channels without a name, as recorders write them, the first two are the mix.
  if (!layout.startsWith("ambisonic")) return "pan=stereo|c0=c0|c1=c1";
  // The first channel of ambisonic sound has what comes from all directions (RFC 8486, 3.1). Two channels that do not turn
  // with the head may follow at the end.
  const hasStereo = layout.endsWith("+stereo");
  const [left, right] = hasStereo ? [`+c${channelCount - 2}`, `+c${channelCount - 1}`] : ["", ""];
  return `pan=stereo|c0=c0${left}|c1=c0${right}`;
}
