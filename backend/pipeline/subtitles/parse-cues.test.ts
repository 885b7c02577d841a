import { expect, it } from "vitest";
import type { Cue } from "./cue.ts";
import { parseCues } from "./parse-cues.ts";

const cue = (startSeconds: number, endSeconds: number, ...lines: string[]): Cue => ({
  startSeconds,
  endSeconds,
  lines,
});
const ONE_AND_TWO = [cue(1, 2, "one"), cue(3, 4, "two")];
const FIRST = "00:00:01,000 --> 00:00:02,000\n";
const SECOND = "00:00:03,000 --> 00:00:04,000\n";

it.each<[string, string, readonly Cue[]]>([
  ["a line with a space between the blocks", `1\n${FIRST}one\n \n2\n${SECOND}two\n`, ONE_AND_TWO],
  ["a line with a tab between the blocks", `1\n${FIRST}one\n\t\n2\n${SECOND}two\n`, ONE_AND_TWO],
  ["nothing between numbered blocks", `1\n${FIRST}one\n2\n${SECOND}two`, ONE_AND_TWO],
  ["a byte order mark and nothing between the blocks", `\ufeff1\r\n${FIRST}one\r\n2\r\n${SECOND}two`, ONE_AND_TWO],
  [
    "a number as the text, before the number of a block",
    `1\n${FIRST}42\n2\n${SECOND}two`,
    [cue(1, 2, "42"), cue(3, 4, "two")],
  ],
  [
    "a number as the text of blocks without numbers",
    `WEBVTT\n${FIRST}42\n${SECOND}two`,
    [cue(1, 2, "42"), cue(3, 4, "two")],
  ],
  [
    "two returns before each new line",
    `1\r\r\n${FIRST.trim()}\r\r\none\r\r\n\r\r\n2\r\r\n${SECOND.trim()}\r\r\ntwo`,
    ONE_AND_TWO,
  ],
  ["an empty line after each line", `1\n\n${FIRST}\none\n\n2\n\n${SECOND}\ntwo\n\n`, ONE_AND_TWO],
  [
    "an empty line in a text",
    `1\n${FIRST}one\n\nmore\n\n2\n${SECOND}two`,
    [cue(1, 2, "one", "more"), cue(3, 4, "two")],
  ],
  ["a note between blocks with numbers", `WEBVTT\n\n1\n${FIRST}one\n\nNOTE by hand\n\n2\n${SECOND}two`, ONE_AND_TWO],
  ["a space alone as the first line", `${FIRST} \none\n\n${SECOND} \ntwo\n \n\n`, ONE_AND_TWO],
  ["a note after a line with a space", `${FIRST}one\n \nNOTE by hand\n \n${SECOND}two`, ONE_AND_TWO],
  ["tight arrows", "1\n00:00:01,000-->00:00:02,000\none\n\n2\n00:00:03,000-->  00:00:04,000\ntwo", ONE_AND_TWO],
  [
    "arrows of word processors and of HTML",
    "1\n00:00:01,000 —> 00:00:02,000\none\n\n2\n00:00:03,000 --&gt; 00:00:04,000\ntwo",
    ONE_AND_TWO,
  ],
  ["arrows of one character", "00:00:01,000 → 00:00:02,000\none\n\n00:00:03,000 –> 00:00:04,000\ntwo", ONE_AND_TWO],
  ["colons before the fraction", "1\n00:00:01:000 --> 00:00:02:000\none\n\n2\n0:03:000 --> 0:04:000\ntwo", ONE_AND_TWO],
  [
    "times that a translator spread",
    "1\n00: 00: 01, 000 -> 00: 00: 02, 000\none\n\n2\n00: 03 - -> 00: 04\ntwo",
    ONE_AND_TWO,
  ],
  ["short arrows and no fractions", "00:00:01 -> 00:00:02\none\n\n0:03 --> 0:04\ntwo", ONE_AND_TWO],
  [
    "marks of direction around each line",
    `\u202b1\u202c\n\u202b${FIRST.trim()}\u202c\none\n\n\u200f2\n\u200f${SECOND}two`,
    ONE_AND_TWO,
  ],
  [
    "full-width times",
    "1\n00：00：01，000 --＞ 00：00：02，000\none\n\n2\n００:００:０３，０００ –> 00:00:04,000\ntwo",
    ONE_AND_TWO,
  ],
  ["Arabic times", "١\n٠٠:٠٠:٠١,٠٠٠ --> ٠٠:٠٠:٠٢٫٠٠٠\none\n\n٢\n٠٠:٠٠:٠٣،٠٠٠ --> ٠٠:٠٠:٠٤,٠٠٠\ntwo", ONE_AND_TWO],
  ["Persian times", "۱\n۰۰:۰۰:۰۱٬۰۰۰ -> ۰۰:۰۰:۰۲,۰۰۰\none\n\n۲\n۰۰:۰۰:۰۳,۰۰۰ --> ۰۰:۰۰:۰۴,۰۰۰\ntwo", ONE_AND_TWO],
  ["Hindi times", "१\n००:००:०१,००० --> ००:००:०२,०००\none\n\n२\n००:००:०३,००० --> ००:००:०४,०००\ntwo", ONE_AND_TWO],
  [
    "times and names as Teams writes them",
    "WEBVTT\n\nd5f2-a/9-0\n0:0:1.0 --> 0:0:2.0\n<v Anna Lee>one</v>\n\nd5f2-a/9-1\n0:0:3.0 --> 0:0:4.0\n<v B>two</v>",
    ONE_AND_TWO,
  ],
  [
    "notes and places as Netflix writes them",
    "WEBVTT\n\nNOTE Netflix\nNOTE Date: 2017/04/16\n\nNOTE Segment=5.0 2@4 1\n\n      \n\n   \n1\n" +
      "00:00:01.000 --> 00:00:02.000  position:50.00%,middle  align:middle size:80.00%  line:84.67% \n<i>one</i>\n\n" +
      "2\n00:00:03.000 --> 00:00:04.000  line:10%\ntwo",
    ONE_AND_TWO,
  ],
  ["places of an old player", `1\n${FIRST.trim()}  X1:201 X2:516 Y1:397 Y2:423\none\n\n2\n${SECOND}two`, ONE_AND_TWO],
])("reads blocks with %s", (_, text, cues) => {
  expect(parseCues(text)).toEqual(cues);
});

it.each<[string, string]>([
  ["&amp;gt;&amp;gt; it&amp;#39;s", ">> it's"],
  ["&gt;&gt; it&#39;s", ">> it's"],
  ["Tom &amp;amp; Jerry, &amp;quot;live&amp;quot;", 'Tom & Jerry, "live"'],
  ["&#x27;a&#X27; &#8217;b&#150; &apos;c&apos;", "'a' ’b– 'c'"],
  ["caf&eacute;&hellip; &iquest;qu&eacute;?", "café… ¿qué?"],
  ["one<br>two<BR />three", "one two three"],
  ["<p>one</p><p>two</p>", "one two"],
  ["&lt;i&gt; writes &amp;lt;", "<i> writes &lt;"],
  ["&#0;&#xD800;&#99999999;&unknown;& &;", "\ufffd\ufffd&#99999999;&unknown;& &;"],
  ["I <3 you and x<y>z", "I <3 you and x<y>z"],
  ["3 < 4 > 2", "3 < 4 > 2"],
  ["a<b and c>d, <b>I <3 you</b>", "a<b and c>d, I <3 you"],
  ['<font color="#fff">a</font> <V.loud Ann>b</V> <c.red>c</c><br/><00:00:01.500> <i>d', "a b c d"],
  ["\u202b\u200fשלום (1).\u202c", "\u202b\u200fשלום (1).\u202c"],
  ["&rlm;שלום!&lrm; \u2067a\u2069\u061c", "\u200fשלום!\u200e \u2067a\u2069\u061c"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["a\u202eb\u202d", "a b"],
])("reads the line %j as %j", (line, text) => {
  expect(parseCues(`${FIRST}${line}\n`)).toEqual([cue(1, 2, text)]);
});

it("shows nothing where a line has invisible marks only", () => {
  expect(parseCues(`${FIRST}\u200f\u202b\u202c\n`)).toEqual([]);
});

const TTML =
  '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" ttp:frameRate="25" ttp:tickRate="10000000"><body><div>';

it.each<[string, string, readonly Cue[]]>([
  [
    "TTML",
    `${TTML}<p begin="00:00:01.000" end="2s">a<br/>b &lt;3 <span tts:color="red">red\n  one</span></p>` +
      `<tt:p begin="75f" dur="1000ms">c</tt:p><p xml:id="x" begin="50000000t" end="00:00:05:05">d</p><p>none</p></div></body></tt>`,
    [cue(1, 2, "a", "b <3 red one"), cue(3, 4, "c"), cue(5, 5.2, "d")],
  ],
  [
    "TTML with times in its spans",
    `${TTML}<p><span begin="1s" end="2s">one</span><br/><span begin="00:00:03.000" end="4s">t<span>w</span>o</span></p></div>`,
    ONE_AND_TWO,
  ],
  [
    "TTML with times of divisions",
    `${TTML}</div><div begin="1s" end="2s"><p>one</p></div><div><p>none</p><p begin="3s" end="4s">two</p></div>` +
      `<div begin="5s" end="9s"><p begin="7s">to the end of it</p></div>`,
    [...ONE_AND_TWO, cue(7, 9, "to the end of it")],
  ],
  [
    "TTML with commas, CDATA and open breaks",
    `${TTML}<p begin="00:00:00,500" end="00:00:02,000"><![CDATA[a & <3]]><br>b</p></div>`,
    [cue(0.5, 2, "a & <3", "b")],
  ],
  [
    "srv1",
    '<?xml version="1.0"?><transcript><text start="0.5" dur="1.5">it&amp;#39;s</text><text start="3" dur="1"/></transcript>',
    [cue(0.5, 2, "it's")],
  ],
  [
    "srv3",
    '<timedtext format="3"><body><p t="500" d="1500">hi<s t="100"> you</s></p><p t="1" d="9" a="1">\n</p></body></timedtext>',
    [cue(0.5, 2, "hi you")],
  ],
  [
    "json3",
    JSON.stringify({
      events: [
        { tStartMs: 0, dDurationMs: 9_000, id: 1 },
        { tStartMs: 500, dDurationMs: 1_500, segs: [{ utf8: "he" }, { utf8: "llo\nyou" }] },
        { tStartMs: 1_990, dDurationMs: 10, aAppend: 1, segs: [{ utf8: "\n" }] },
      ],
    }),
    [cue(0.5, 2, "hello", "you")],
  ],
  [
    "ASS",
    "\ufeff[Script Info]\nTitle: a\n[V4+ Styles]\nFormat: Name, Fontname\n[Events]\n" +
      "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n" +
      "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\an8}Hello, you\\N{\\i1}there\\hnow\n" +
      "Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1",
    [cue(1, 2.5, "Hello, you", "there now")],
  ],
  [
    "ASS whose layers show one text, below a comment",
    "; by hand\n; again\n\n[Script Info]\n[Events]\nFormat: Start, End, Style, Text\n" +
      "Dialogue: 00:00:01.00,00:00:02.00,S,{\\bord3}one\nDialogue: 0:00:01.00,0:00:02.00,T,{\\blur2}one\n" +
      "Comment: 0:00:01.00,0:00:02.00,S,no\nDialogue: 0:00:03.00,0:00:04.00,S,{\\k20}tw{\\k30}o",
    ONE_AND_TWO,
  ],
  [
    "SSA without its first section",
    "[V4 Styles]\nFormat: Name\n[Events]\n" +
      "Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n" +
      "Dialogue: Marked=0,0:00:01.00,0:00:02.00,D,NTP,0000,0000,0000,!Effect,one\\Nmore",
    [cue(1, 2, "one", "more")],
  ],
  ["JSON of another kind", '{"error":"gone"}', []],
  ["JSON that ends early", '{"events":[{"tStartMs":0', []],
  ["a page of HTML", "<!doctype html><html><body><p>Sign in</p></body></html>", []],
])("reads %s", (_, text, cues) => {
  expect(parseCues(text)).toEqual(cues);
});

it.each([
  ["paragraphs", `<tt>${'<p begin="1s" end="2s">a'.repeat(100_000)}`],
  ["unfinished tags", `<tt>${"<p ".repeat(1_000_000)}`],
  ["spans without an end", `<tt><p>${'<span begin="1s" end="2s">a'.repeat(20_000)}`],
  ["divisions", `<tt>${'<div begin="1s" end="2s"><p>a'.repeat(5_000)}`],
  ["comments of a script", `${"; a\n".repeat(20_000)}[Script Info]`],
  ["lines with a number", `1\n${FIRST}${"1\n \n".repeat(100_000)}`],
  ["empty lines", `1\n${FIRST}a${"\n".repeat(500_000)}`],
  ["empty lines among numbers", `1\n${FIRST}${"1\n\n".repeat(100_000)}`],
  ["brackets of a script", `[Script Info]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,${"{".repeat(1_000_000)}`],
])("stays bounded for endless %s", (_, text) => {
  expect(parseCues(text).length).toBeLessThanOrEqual(30_000);
});
