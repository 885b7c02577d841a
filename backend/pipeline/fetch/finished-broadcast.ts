/** Tells a broadcast that is over from one that goes on, where the playlist does not say that it has ended. */
import { pause } from "../../../common/waiting.ts";
import type { MediaPlaylist } from "./hls-playlist.ts";

/** So often the playlist is read again. */
const READINGS = 3;
/** Servers add a segment soon after its end. */
const LONGEST_WAIT_SECONDS = 10;

/**
 * @param readAgain reads the playlist's text once more
 * @returns whether the playlist stays as it is
 */
export async function isFinished(
  text: string,
  { mayBeFinished, targetSeconds }: MediaPlaylist,
  readAgain: () => Promise<string>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!mayBeFinished) return false;
  for (let reading = 0; reading < READINGS; reading += 1) {
    await pause(Math.min(targetSeconds, LONGEST_WAIT_SECONDS) * 1_000, signal);
    if ((await readAgain()) !== text) return false;
  }
  return true;
}
