import { describe, expect, it } from "vitest";
import { standInSegment } from "../../dev/stand-ins/sponsor-block.ts";
import { segmentsFrom, sponsoredSpans } from "./segments.ts";

const answerOf = (...segments: unknown[]): unknown => [{ videoID: "plain-video", hash: "00", segments }];
const span = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });

describe("an answer", () => {
  it("is read for the one video of several", () => {
    const other = { videoID: "other-video", hash: "00", segments: [standInSegment({ segment: [0, 9] })] };
    const [own] = answerOf(standInSegment({ segment: [1.0004, 4], videoDuration: 12.5 })) as unknown[];
    expect(segmentsFrom([other, own], "plain-video")).toEqual([{ ...span(1, 4), videoSeconds: 12.5 }]);
    expect(segmentsFrom([other], "plain-video")).toEqual([]);
    expect(segmentsFrom([], "plain-video")).toEqual([]);
  });

  it.each([
    standInSegment({ segment: [1, 4], category: "intro" }),
    standInSegment({ segment: [0, 0], actionType: "full" }),
    standInSegment({ segment: [1, 4], actionType: "mute" }),
    { ...standInSegment({ segment: [1, 4] }), segment: ["1", 4] },
    { ...standInSegment({ segment: [1, 4] }), segment: [1] },
    standInSegment({ segment: [-1, 4] }),
    standInSegment({ segment: [1, 1e300] }),
    "1-4",
    null,
  ])("leaves out what is not a sponsored segment to skip: %j", (wrong) => {
    const right = standInSegment({ segment: [5, 6] });
    expect(segmentsFrom(answerOf(wrong, right), "plain-video")).toEqual([{ ...span(5, 6), videoSeconds: undefined }]);
  });

  it("has at most fifty segments", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => standInSegment({ segment: [index, index + 0.5] }));
    expect(segmentsFrom(answerOf(...many), "plain-video")).toHaveLength(50);
  });

  it.each([null, {}, "[]", [1], [{ videoID: 7, segments: [] }]])("of another shape is refused: %j", (answer) => {
    expect(() => segmentsFrom(answer, "plain-video")).toThrow(/expected/);
  });
});

describe("sponsored spans", () => {
  it.each<[string, [number, number][], [number, number][]]>([
    [
      "are sorted",
      [
        [5, 6],
        [1, 2],
      ],
      [
        [1, 2],
        [5, 6],
      ],
    ],
    [
      "are merged where they overlap",
      [
        [1, 4],
        [2, 3],
        [3, 5],
      ],
      [[1, 5]],
    ],
    [
      "are merged where they touch",
      [
        [1, 4],
        [4, 5],
      ],
      [[1, 5]],
    ],
    ["end with the video", [[8, 13]], [[8, 12]]],
    ["begin before its end", [[12, 13]], []],
    [
      "have a length",
      [
        [3, 3],
        [5, 4],
      ],
      [],
    ],
    ["may be the whole video", [[0, 12]], [[0, 12]]],
  ])("%s", (_, stated, expected) => {
    const spans = sponsoredSpans(
      stated.map(([start, end]) => span(start, end)),
      12,
    );
    expect(spans).toEqual(expected.map(([start, end]) => span(start, end)));
  });

  it.each([
    [14, true],
    [10, true],
    [14.1, false],
    [9.9, false],
    [undefined, true],
  ])("marked in a video of %s s belong to one of 12 s: %s", (videoSeconds, isSame) => {
    const spans = sponsoredSpans([{ ...span(1, 2), videoSeconds }], 12);
    expect(spans).toEqual(isSame ? [span(1, 2)] : []);
  });

  it("are all kept where the site does not say how long the video is", () => {
    expect(sponsoredSpans([{ ...span(1, 2), videoSeconds: 100 }], undefined)).toEqual([span(1, 2)]);
  });
});
