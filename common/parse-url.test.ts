import { describe, expect, it } from "vitest";
import { parseUrl } from "./parse-url.ts";

describe("parseUrl", () => {
  it("reads a URL", () => expect(parseUrl("https://youtu.be/a?t=9")?.search).toBe("?t=9"));
  it.each(["", "a", "https://", "/path"])("gives null for %j", (text) => expect(parseUrl(text)).toBeNull());
});
