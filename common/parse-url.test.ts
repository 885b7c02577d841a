import { describe, expect, it } from "vitest";
import { parseLink, parseUrl } from "./parse-url.ts";

describe("parseUrl", () => {
  it("reads a URL", () => expect(parseUrl("https://youtu.be/a?t=9")?.search).toBe("?t=9"));
  it.each(["", "a", "https://", "/path"])("gives null for %j", (text) => expect(parseUrl(text)).toBeNull());
});

describe("parseLink", () => {
  it.each([
    ["HTTP://youtu.be/a", "http://youtu.be/a"],
    ["youtu.be/a", "https://youtu.be/a"],
    ["localhost:8090/a", "https://localhost:8090/a"],
  ])("reads %j as %s", (text, href) => expect(parseLink(text)?.href).toBe(href));
  it.each(["", "no link"])("gives null for %j", (text) => expect(parseLink(text)).toBeNull());
});
