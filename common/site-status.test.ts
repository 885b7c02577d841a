import { expect, it } from "vitest";
import { SiteStatus } from "./site-status.ts";

it("ignores sites, reasons and fields of newer versions", () => {
  const known = { site: "youtube", reason: "refusing" };
  const failing = [
    { ...known, sinceMs: 1 },
    { site: "vimeo", reason: "refusing" },
    { site: "youtube", reason: "x" },
    7,
  ];
  expect(SiteStatus.parse({ failing, version: 2 })).toEqual({ failing: [known] });
});
