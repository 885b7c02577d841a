import { afterEach, expect, it, vi } from "vitest";
import { isFinished } from "./finished-broadcast.ts";
import { readMediaPlaylist } from "./hls-playlist.ts";

const EVENT = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:0.01,\na.ts\n";
const SLIDING = EVENT.replace("PLAYLIST-TYPE:EVENT", "MEDIA-SEQUENCE:7");

afterEach(() => vi.useRealTimers());

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

it("waits for three target durations, but never longer than 30 s", async () => {
  vi.useFakeTimers();
  for (const [target, waitedMs] of [
    [4, 12_000],
    [3_600, 30_000],
  ] as const) {
    const text = EVENT.replace("#EXTINF", `#EXT-X-TARGETDURATION:${target}\n#EXTINF`);
    const playlist = readMediaPlaylist(text);
    if (!playlist) throw new TypeError("no playlist");
    const startMs = Date.now();
    const isOver = isFinished(text, playlist, () => Promise.resolve(text), new AbortController().signal);
    await vi.runAllTimersAsync();
    expect([await isOver, Date.now() - startMs]).toEqual([true, waitedMs]);
  }
});
