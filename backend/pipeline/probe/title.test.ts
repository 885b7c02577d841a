import { describe, expect, it } from "vitest";
import { cleanTitle, siteTitle, videoTitle } from "./title.ts";

describe("cleanTitle", () => {
  it.each([
    ["  plain  ", "plain"],
    ["tape\u0000deck\r\nSet-Cookie: a", "tape deck Set-Cookie: a"],
    ["\u202Egpj.exe", "gpj.exe"],
    ["قطار / רכבת 👩🏽‍🚀", "قطار / רכבת 👩🏽‍🚀"],
    ["broken \uD800 half", "broken \uFFFD half"],
  ])("turns %j into one printable line", (text, line) => {
    expect(cleanTitle(text)).toBe(line);
  });

  it("shortens a long title to 300 characters without splitting a character", () => {
    const title = cleanTitle("👩🏽‍🚀 to the moon ".repeat(1_000));
    expect([...new Intl.Segmenter().segment(title)].length).toBeLessThanOrEqual(300);
    expect(title.length).toBeLessThanOrEqual(601);
    expect(title).toMatch(/…$/);
    expect(title.isWellFormed()).toBe(true);
  });
});

it.each([
  ["Tom &amp; Jerry &#39;live&#39;", "Tom & Jerry 'live'"],
  ["Rock &amp;#39;n&amp;#39; Roll &amp;amp; more", "Rock 'n' Roll & more"],
  ["&#x1F600; caf&eacute; &ndash; &nbsp;two", "😀 café – two"],
  ["a&#10;b&#0;&#x202E;c", "a b\uFFFD c"],
  ["R&B; AT&T & more", "R&B; AT&T & more"],
  ["<b>bold</b>", "<b>bold</b>"],
])("decodes the title %j of a site to %j", (text, title) => {
  expect(siteTitle(text)).toBe(title);
});

const SENTENCE = "The dog found another stick. ";

it.each([
  ["of 128 characters", "x".repeat(128), "x".repeat(128)],
  ["of 129 characters without a space", "x".repeat(129), `${"x".repeat(127)}…`],
  ["of several lines", `Our new song\nis out now. ${SENTENCE.repeat(5)}`, "Our new song"],
  ["of sentences", SENTENCE.repeat(9), SENTENCE.repeat(4).trim()],
  ["of one sentence", "and then ".repeat(20), `${"and then ".repeat(14)}…`.replace(" …", "…")],
  ["of another script", "また犬が棒を見つけた。".repeat(20), "また犬が棒を見つけた。".repeat(11)],
  ["that begins with what cannot be seen", `\u202e\n${SENTENCE.repeat(9)}`, SENTENCE.repeat(4).trim()],
  ["that is escaped", `Tom &amp; Jerry. ${SENTENCE.repeat(9)}`, `Tom & Jerry. ${SENTENCE.repeat(3).trim()}`],
])("makes the title of a text %s of its beginning", (_, text, title) => {
  expect(videoTitle(text)).toBe(title);
});
