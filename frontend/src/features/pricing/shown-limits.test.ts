import { afterEach, describe, expect, it } from "vitest";
import { TIERS, type TierLimits } from "../../../../common/tiers.ts";
import { en } from "../../texts/en.ts";
import { createFigures } from "../../texts/figures.ts";
import { createFormats } from "../../texts/format.ts";
import { proFeatures } from "../billing/plans.ts";
import { tierFeatures } from "./tier-features.ts";

type Limit = keyof TierLimits;

/** For each limit of Pro a value that no tier has. The compiler asks for an entry when a limit is added. */
const OTHER_VALUES: Readonly<Record<Limit, unknown>> = {
  formats: ["mp3"],
  maxFileBytes: 7_000_000,
  maxDurationSeconds: 7 * 60,
  retentionSeconds: 7 * 60,
  mp3BitrateKbps: 77,
  mp4MaxHeight: 77,
  batchSize: 7,
  priority: 77,
  maxWebhooks: 7,
  hasChapterFiles: false,
  showsAds: true,
};
const LIMITS = Object.keys(OTHER_VALUES) as Limit[];

/** The places that show limits, and those limits that they do not show as a figure. */
const formats = createFormats("en", en.figures);
const PLACES: readonly [string, () => unknown, readonly Limit[]][] = [
  // The order of the queue has no figure; a text says that Pro is first. The dashboard shows how many webhooks there may be.
  ["pricing on the home page", () => tierFeatures("pro", en.pricing, formats), ["priority", "maxWebhooks"]],
  // Fixed texts say that Pro has no advertisements.
  ["plans page", () => proFeatures(en, formats), ["priority", "maxWebhooks", "showsAds"]],
  // The help says in a fixed text that Pro makes a file of each chapter.
  ["help and terms", () => createFigures(formats).pro, ["priority", "maxWebhooks", "hasChapterFiles", "showsAds"]],
];

const limits: Record<string, unknown> = Object(TIERS.pro);
const before = { ...limits };
afterEach(() => void Object.assign(limits, before));

describe.each(PLACES)("%s", (_, show, notShown) => {
  it("follows every limit of a tier, except those listed as not shown", () => {
    const shown = show();
    const ignored = LIMITS.filter((limit) => {
      Object.assign(limits, before, { [limit]: OTHER_VALUES[limit] });
      return JSON.stringify(show()) === JSON.stringify(shown);
    });
    expect(ignored).toEqual(notShown);
  });
});
