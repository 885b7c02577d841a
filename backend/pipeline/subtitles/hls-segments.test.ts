import { expect, it } from "vitest";
import { cuesOfSegments, segmentAddresses } from "./hls-segments.ts";

const LIST = "https://a.example/subs/list.m3u8?key=1";
const segment = (map: string, from: string, to: string, text: string): string =>
  `WEBVTT\n${map === "" ? "" : `X-TIMESTAMP-MAP=${map}\n`}\n${from} --> ${to}\n${text}\n`;

it("lists the segments of a playlist", () => {
  const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.vtt\n#EXTINF:6,\n/b.vtt?x=1\n#EXT-X-ENDLIST\n";
  expect(segmentAddresses(playlist, LIST)).toEqual(["https://a.example/subs/a.vtt", "https://a.example/b.vtt?x=1"]);
});

it("fetches a file once whose ranges are the segments, and nothing of this machine", () => {
  const playlist =
    "#EXTM3U\r\n#EXTINF:6,\r\n#EXT-X-BYTERANGE:10@0\r\na.vtt\r\n#EXT-X-BYTERANGE:10@10\r\na.vtt\r\nfile:///etc/passwd\r\n";
  expect(segmentAddresses(playlist, LIST)).toEqual(["https://a.example/subs/a.vtt"]);
});

it("knows a file from a playlist, and refuses an endless one", () => {
  expect(segmentAddresses("WEBVTT\n\n", LIST)).toBeUndefined();
  const many = `#EXTM3U\n${Array.from({ length: 6_001 }, (_, index) => `${index}.vtt`).join("\n")}`;
  expect(() => segmentAddresses(many, LIST)).toThrow(expect.objectContaining({ code: "too_large" }));
});

it.each<[string, readonly string[], readonly (readonly [number, number, string])[]]>([
  [
    "the same map and times of the whole",
    [
      segment("MPEGTS:900000,LOCAL:00:00:00.000", "00:01.000", "00:02.000", "a"),
      segment("MPEGTS:900000,LOCAL:00:00:00.000", "00:07.000", "00:08.000", "b"),
    ],
    [
      [1, 2, "a"],
      [7, 8, "b"],
    ],
  ],
  [
    "maps that go on, and times that begin anew",
    [
      segment("LOCAL:00:00:00.000,MPEGTS:900000", "00:01.000", "00:02.000", "a"),
      segment("LOCAL:00:00:00.000,MPEGTS:1440000", "00:01.000", "00:02.000", "b"),
    ],
    [
      [1, 2, "a"],
      [7, 8, "b"],
    ],
  ],
  [
    "a clock that begins anew",
    [
      segment("MPEGTS:8589844592,LOCAL:00:00:00.000", "00:00.500", "00:01.000", "a"),
      segment("MPEGTS:90000,LOCAL:00:00:00.000", "00:01.000", "00:02.000", "b"),
    ],
    [
      [0.5, 1, "a"],
      [3, 4, "b"],
    ],
  ],
  [
    "no maps, and a cue in two segments",
    [segment("", "00:05.000", "00:07.000", "a"), segment("", "00:05.000", "00:07.000", "a"), "WEBVTT\n", ""],
    [[5, 7, "a"]],
  ],
  [
    "a cue that is cut at the end of a segment",
    [segment("", "00:05.000", "00:06.000", "a"), segment("", "00:06.000", "00:07.000", "a")],
    [[5, 7, "a"]],
  ],
])("joins segments with %s", (_, texts, expected) => {
  const cues = cuesOfSegments(texts).map(({ startSeconds, endSeconds, lines }) => [startSeconds, endSeconds, ...lines]);
  expect(cues).toEqual(expected);
});
