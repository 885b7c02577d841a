import { describe, expect, inject, it } from "vitest";
import { readReasons, unjudged } from "./installed-reasons.ts";
import { type Judged, REASONS_OF_SITE, REASONS_OF_YT_DLP, type ReasonKind } from "./judged-reasons.ts";
import { judgementOfReason } from "./judgement.ts";

/** @returns the texts again, by what the table of failures makes of them */
function asTheTableSays(kind: ReasonKind, judged: Judged): Record<string, string[]> {
  const texts = Object.values(judged).flat();
  return Object.groupBy(texts, (text) => judgementOfReason([kind, text])) as Record<string, string[]>;
}

describe("the table of failures", () => {
  it.each<ReasonKind>(["error", "warning", "compared"])("takes each reason of yt-dlp as judged: %s", (kind) => {
    const judged = REASONS_OF_YT_DLP[kind];
    expect(asTheTableSays(kind, judged)).toEqual(judged);
  });

  it("takes each reason of YouTube as judged", () => {
    expect(asTheTableSays("error", REASONS_OF_SITE)).toEqual(REASONS_OF_SITE);
  });

  it("takes no reason as a failure of ours", () => {
    const judgements = [...Object.values(REASONS_OF_YT_DLP), REASONS_OF_SITE].flatMap((judged) => Object.keys(judged));
    expect(judgements.filter((judgement) => judgement.startsWith("internal"))).toEqual([]);
  });
});

it("knows every reason of the installed yt-dlp; `npm run reasons` names the others", async () => {
  const reasons = await readReasons(inject("toolPaths").ytDlpPath);
  expect(reasons).toContainEqual(["error", "Failed to extract any player response"]);
  expect(unjudged(reasons)).toEqual([]);
});

it("names a reason that nobody has judged", () => {
  const reason = ["error", "This video is on the moon"] as const;
  expect(unjudged([["error", "This video is DRM protected"], reason])).toEqual([reason]);
});
