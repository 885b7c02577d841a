import { expect, it } from "vitest";
import { renditionOf } from "./bench-site.ts";
import { chosenBytes, type SiteFigures } from "./site-figures.ts";

it("counts the segments of a rendition as one rendition, and playlists and covers as none", () => {
  expect(renditionOf("ten/video-720.mp4")).toBe("ten/video-720.mp4");
  expect(renditionOf("ten/hls-240/part-7.ts")).toBe("ten/hls-240");
  expect(renditionOf("ten/part-2-17.m4s")).toBe("ten/dash-2");
  expect(renditionOf("ten/init-2.m4s")).toBe("ten/dash-2");
  expect(["ten/master.m3u8", "ten/manifest.mpd", "ten/cover.jpg"].map(renditionOf)).toEqual([null, null, null]);
});

it("counts a rendition as chosen when most of it was sent", () => {
  const figures: SiteFigures = {
    sentBytes: 0,
    requests: 4,
    mostConnections: 1,
    firstAskedAtMs: {},
    renditions: [
      { name: "video", sentBytes: 990, sizeBytes: 1_000 },
      { name: "sound", sentBytes: 120, sizeBytes: 100 },
      { name: "looked into", sentBytes: 10, sizeBytes: 5_000 },
    ],
  };
  expect(chosenBytes(figures)).toBe(1_100);
});
