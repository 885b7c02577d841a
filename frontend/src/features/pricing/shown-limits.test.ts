import { afterEach, describe, expect, it } from "vitest";
import { TIERS, type TierLimits } from "../../../../common/tiers.ts";
import { en } from "../../texts/en.ts";
import { createFigures } from "../../texts/figures.ts";
import { createFormats } from "../../texts/format.ts";
import { proFeatures } from "../billing/plans.ts";
import { tierFeatures } from "./tier-features.ts";

type Limit = keyof TierLimits;

const LIMITS = Object.keys(TIERS.pro) as Limit[];

/** @returns a value that no tier has */
function otherThan(value: TierLimits[Limit]): unknown {
  if (typeof value === "number") return 2 * value;
  return typeof value === "boolean" ? !value : ["mp3"];
}

/**
 * Without a figure: the place in the queue, of which a text says that Pro is first. The dashboard shows tokens and webhooks,
 * the page of follows theirs.
 */
const NOWHERE: readonly Limit[] = ["priority", "maxTokens", "maxWebhooks", "maxFollows"];

/** The places that show limits, and those limits that they do not show as a figure. */
const formats = createFormats("en", en.figures);
const PLACES: readonly [string, () => unknown, readonly Limit[]][] = [
  ["pricing on the home page", () => tierFeatures("pro", en.pricing, formats), NOWHERE],
  // Fixed texts say that Pro has no advertisements.
  ["plans page", () => proFeatures(en, formats), [...NOWHERE, "showsAds"]],
  // The help says in a fixed text that Pro makes a file of each chapter.
  ["help and terms", () => createFigures(formats).pro, [...NOWHERE, "hasChapterFiles", "showsAds"]],
];

const limits: Record<string, unknown> = Object(TIERS.pro);
const before = { ...TIERS.pro };
afterEach(() => void Object.assign(limits, before));

describe.each(PLACES)("%s", (_, show, notShown) => {
  it("follows every limit of a tier, except those listed as not shown", () => {
    const shown = show();
    const ignored = LIMITS.filter((limit) => {
      Object.assign(limits, before, { [limit]: otherThan(before[limit]) });
      return JSON.stringify(show()) === JSON.stringify(shown);
    });
    expect(ignored).toEqual(notShown);
  });
});
