import { expect, it } from "vitest";
import { isFinished } from "./finished-broadcast.ts";
import { readMediaPlaylist } from "./hls-playlist.ts";

const EVENT = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:0.01,\na.ts\n";
const SLIDING = EVENT.replace("PLAYLIST-TYPE:EVENT", "MEDIA-SEQUENCE:7");

it.each([
  ["stays as it is", EVENT, [EVENT, EVENT, EVENT], true, 3],
  ["grows", EVENT, [EVENT, `${EVENT}#EXTINF:0.01,\nb.ts\n`], false, 2],
  ["has lost its first segments", SLIDING, [], false, 0],
])("a broadcast whose playlist %s", async (_, text, readings, isOver, count) => {
  const playlist = readMediaPlaylist(text);
  if (!playlist) throw new TypeError("no playlist");
  let read = 0;
  const readAgain = () => Promise.resolve(readings[read++] ?? "");
  expect(await isFinished(text, playlist, readAgain, new AbortController().signal)).toBe(isOver);
  expect(read).toBe(count);
});
