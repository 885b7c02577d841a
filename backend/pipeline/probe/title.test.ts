import { describe, expect, it } from "vitest";
import { cleanTitle, siteTitle } from "./title.ts";

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
