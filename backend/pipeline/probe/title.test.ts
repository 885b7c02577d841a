import { describe, expect, it } from "vitest";
import { cleanTitle } from "./title.ts";

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
