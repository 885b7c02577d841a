import { describe, expect, it } from "vitest";
import { withoutLinks } from "./without-links.ts";

describe("withoutLinks", () => {
  it("replaces links and ids of videos", () => {
    const words = "ERROR: [youtube] dQw4w9WgXcQ: Sign in.\n See  https://youtu.be/dQw4w9WgXcQ?t=1 for more";
    expect(withoutLinks(words)).toBe("ERROR: [youtube] [id]: Sign in. See [link] for more");
  });

  it("leaves out the warnings before an error", () => {
    expect(withoutLinks("WARNING: slow\nERROR: [generic] Gone")).toBe("ERROR: [generic] Gone");
    expect(withoutLinks("WARNING: slow")).toBe("WARNING: slow");
  });

  it("keeps 300 characters at most", () => {
    expect(withoutLinks("x".repeat(1_000))).toHaveLength(300);
  });
});
