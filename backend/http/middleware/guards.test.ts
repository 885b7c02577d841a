import { describe, expect, it } from "vitest";
import { createOriginCheck } from "./guards.ts";

describe.each<[string, [origin: string, host: string | undefined, isOwn: boolean][]]>([
  [
    "https://tapes.example",
    [
      ["https://tapes.example", "tapes.example", true],
      ["https://tapes.example", "10.0.0.2:3000", true],
      ["https://tapes.example:8443", "tapes.example:8443", true],
      ["http://localhost:3000", "localhost:3000", true],
      // Whoever is on the way of a visitor can write such a page.
      ["http://tapes.example", "tapes.example", false],
      ["http://TAPES.example:80", "tapes.example", false],
      ["http://tapes.example:3000", "tapes.example:3000", false],
      ["https://evil.example", "tapes.example", false],
      ["https://x.tapes.example", "tapes.example", false],
      ["https://tapes.example.", "tapes.example", false],
      ["null", "tapes.example", false],
      ["https://other.example", undefined, false],
    ],
  ],
  [
    "http://tapes.example",
    [
      ["http://tapes.example", "tapes.example", true],
      // A proxy may have TLS where PUBLIC_URL does not say so.
      ["https://tapes.example", "tapes.example", true],
      ["http://evil.example", "tapes.example", false],
    ],
  ],
])("at %s", (publicUrl, cases) => {
  it.each(cases)("a page of %s that asks %s is our own: %s", (origin, host, isOwn) => {
    expect(createOriginCheck(publicUrl)(origin, host)).toBe(isOwn);
  });
});
