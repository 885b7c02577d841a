import { describe, expect, it } from "vitest";
import type { Cue } from "./cue.ts";
import { cuesOfPart, toPlainText, toSrt, toVtt, withoutRepeats } from "./cues.ts";
import { parseCues } from "./parse-cues.ts";

const cue = (startSeconds: number, endSeconds: number, ...lines: string[]): Cue => ({
  startSeconds,
  endSeconds,
  lines,
});

describe("cues of a file", () => {
  it.each<[string, string, Cue[]]>([
    ["WebVTT", "WEBVTT\n\n00:01.500 --> 00:02.000 align:start\na\nb\n", [cue(1.5, 2, "a", "b")]],
    ["SRT", "\ufeff1\r\n01:00:01,500 --> 01:00:02,000\r\na\r\n\r\n", [cue(3_601.5, 3_602, "a")]],
    ["old line ends", "1\r00:00:01,5 --> 00:00:02,0\ra\r\r", [cue(1.5, 2, "a")]],
    ["marks", "00:01.000 --> 00:02.000\n<v Ann><c.red>a</c> <00:01.500>{\\an8}<i>b</i>", [cue(1, 2, "a b")]],
    ["entities", "00:01.000 --> 00:02.000\n&lt;a&gt;&nbsp;&amp;amp; &#39;b&#39; &x;", [cue(1, 2, "<a> &amp; 'b' &x;")]],
    ["no order", "00:03.000 --> 00:04.000\nb\n\n00:01.000 --> 00:02.000\na", [cue(1, 2, "a"), cue(3, 4, "b")]],
    ["control characters", "00:01.000 --> 00:02.000\na\u202eb\u0000", [cue(1, 2, "a b")]],
    ["no length", "00:01.000 --> 00:01.000\na\n\n00:02.000 --> 00:01.000\nb", []],
    ["no text", "00:01.000 --> 00:02.000\n \n\nNOTE a\n\nSTYLE\n::cue {}", []],
    ["no times", "a\n\n1 --> 2\nb\n\n-00:01.000 --> 00:02.000\nc\n\n99999:00:00.000 --> 00:02.000\nd", []],
  ])("with %s", (_, text, expected) => {
    expect(parseCues(text)).toEqual(expected);
  });

  it("are bounded in number, lines and length", () => {
    expect(parseCues("00:01.000 --> 00:02.000\na\n\n".repeat(40_000))).toHaveLength(30_000);
    const [long] = parseCues(`00:01.000 --> 00:02.000\n${`${"a".repeat(1_000_000)}\n`.repeat(9)}`);
    expect(long?.lines.map(({ length }) => length)).toEqual(Array(8).fill(500));
    expect(parseCues("<".repeat(1_000_000))).toEqual([]);
  });
});

it("removes the repeats of automatic subtitles that roll", () => {
  const rolling = [
    cue(0, 2, "one"),
    cue(2, 2.01, "one"),
    cue(2.01, 4, "one", "two"),
    cue(4, 4.01, "two"),
    cue(4.01, 6, "two", "two"),
    // After a pause the line is said again.
    cue(9, 10, "two"),
  ];
  expect(withoutRepeats(rolling)).toEqual([
    cue(0, 2.01, "one"),
    cue(2.01, 4.01, "two"),
    cue(4.01, 6, "two"),
    cue(9, 10, "two"),
  ]);
});

it("ends an automatic line where the next one begins", () => {
  expect(withoutRepeats([cue(0, 5, "one"), cue(2, 7, "two")])).toEqual([cue(0, 2, "one"), cue(2, 7, "two")]);
});

it.each<[number, number, Cue[]]>([
  [0, 9, [cue(1, 3, "a"), cue(4, 6, "b")]],
  [2, 5, [cue(0, 1, "a"), cue(2, 3, "b")]],
  [3, 4, []],
])("of a part from %d s to %d s are moved and cut", (startSeconds, endSeconds, expected) => {
  expect(cuesOfPart([cue(1, 3, "a"), cue(4, 6, "b")], { startSeconds, endSeconds })).toEqual(expected);
});

it("are written as WebVTT, SRT and plain text, and read as they were", () => {
  const cues = [cue(0, 1.5, "a <b> & {c}"), cue(3_661.25, 3_662, "d", "e --> f")];
  expect(toVtt(cues)).toBe(
    "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\na &lt;b&gt; &amp; {c}\n\n" +
      "01:01:01.250 --> 01:01:02.000\nd\ne --&gt; f\n",
  );
  expect(toSrt(cues)).toContain("2\n01:01:01,250 --> 01:01:02,000\nd\ne --> f\n");
  expect(toPlainText(cues)).toBe("a <b> & {c}\nd\ne --> f\n");
  expect(parseCues(toVtt(cues))).toEqual(cues);
});
