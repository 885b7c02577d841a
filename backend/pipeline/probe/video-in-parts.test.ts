import { expect, it } from "vitest";
import { parseAll, parsePage } from "./video-in-parts.ts";

const format = (id: string, more: object = {}) => ({
  format_id: id,
  url: `https://cdn.example/${id}`,
  vcodec: "avc1.42001E",
  acodec: "mp4a.40.2",
  height: 360,
  ...more,
});
const part = (duration: number | undefined, ...formats: object[]) => ({ title: "A part", duration, formats });
const inParts = (...entries: object[]) =>
  JSON.stringify({ _type: "multi_video", extractor_key: "Shows", id: "7", title: "A show", entries });

it.each([
  ["a video in parts", inParts(part(1, format("a")), part(2, format("a"))), { unread: "parts" }],
  [
    "the only video of a page, which has one of its own",
    JSON.stringify({ _type: "playlist", entries: [{ _type: "url", url: "https://a.example/1" }] }),
    { unread: "page" },
  ],
  ["a video", JSON.stringify({ title: "A", formats: [format("a")] }), { title: "A" }],
])("tells %s apart", (_, json, expected) => {
  expect(parsePage(json)).toMatchObject(expected);
});

it("refuses a page with several videos, at both readings", () => {
  const several = JSON.stringify({ _type: "playlist", entries: [1, 2].map(() => part(1, format("a"))) });
  expect(() => parsePage(several)).toThrow(expect.objectContaining({ code: "playlist" }));
  expect(() => parseAll(several)).toThrow(expect.objectContaining({ code: "playlist" }));
});

it("sums lengths and sizes of the parts, under the name of the whole", () => {
  const info = parseAll(
    inParts(
      part(60, format("a", { filesize: 100 })),
      part(30, format("a", { filesize: 50, url: "https://b.example/" })),
    ),
  );
  expect(info).toMatchObject({ title: "A show", videoId: "shows:7", durationSeconds: 90 });
  expect(info.renditions).toMatchObject([
    { sizeBytes: 150, videoCodec: "avc1.42001e", parts: [{ sizeBytes: 100 }, { url: "https://b.example/" }] },
  ]);
});

it("does not state what one of the parts does not state", () => {
  const info = parseAll(
    inParts(part(60, format("a", { filesize: 100 })), part(undefined, format("a", { vcodec: "vp9" }))),
  );
  expect(info.durationSeconds).toBeUndefined();
  expect(info.renditions).toMatchObject([{ sizeBytes: undefined, videoCodec: undefined, audioCodec: "mp4a.40.2" }]);
});

it("takes of each part the form that is most like that of the first", () => {
  const sound = { vcodec: "none" };
  const info = parseAll(
    inParts(
      part(1, format("sound", sound), format("low"), format("high", { height: 720 })),
      part(1, format("other-sound", sound), format("low"), format("higher", { height: 700 })),
    ),
  );
  expect(info.renditions.map(({ parts = [] }) => parts.map(({ id }) => id))).toEqual([
    ["sound", "other-sound"],
    ["low", "low"],
    ["high", "higher"],
  ]);
});

it("refuses parts without a common form, and more parts than are joined", () => {
  const apart = inParts(part(1, format("a", { vcodec: "none" })), part(1, format("b", { acodec: "none" })));
  expect(() => parseAll(apart)).toThrow(expect.objectContaining({ code: "unavailable" }));
  const parts = (count: number) => inParts(...Array.from({ length: count }, () => part(1, format("a"))));
  expect(parseAll(parts(50)).durationSeconds).toBe(50);
  expect(() => parseAll(parts(51))).toThrow(expect.objectContaining({ code: "too_large" }));
});
