import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { MAX_LIST_ENTRIES } from "../../../../common/lists.ts";
import { TIERS, type TierLimits } from "../../../../common/tiers.ts";
import { en } from "../../texts/en.ts";
import { createFigures } from "../../texts/figures.ts";
import { createFormats } from "../../texts/format.ts";
import { proFigures } from "../billing/plans.ts";
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
  ["plans page", () => proFigures(formats), ["priority", "maxWebhooks", "showsAds"]],
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

it("the README states the limits of both tiers", async () => {
  const { free, pro } = createFigures(formats);
  const lines = (await readFile(new URL("../../../../README.md", import.meta.url), "utf8")).split("\n");
  const row = (name: string) => lines.find((line) => line.startsWith(`| ${name} |`));
  const height = (quality: string) => `up to ${quality.replace("p", " lines")}`;
  expect(row("MP3")).toBe(`| MP3 | ${free.mp3} | ${pro.mp3} |`);
  expect(row("MP4")).toBe(`| MP4 | ${height(free.mp4)} | ${height(pro.mp4)} |`);
  expect(row("Others")).toBe(`| Others | ${free.otherFormats} | ${pro.otherFormats} |`);
  const ofChapters = (has: boolean) => (has ? "yes" : "no");
  const [freeHas, proHas] = [TIERS.free.hasChapterFiles, TIERS.pro.hasChapterFiles].map(ofChapters);
  expect(row("One file per chapter")).toBe(`| One file per chapter | ${freeHas} | ${proHas} |`);
  expect(row("File")).toBe(`| File | ${free.size} | ${pro.size} |`);
  expect(row("Video")).toBe(`| Video | ${free.length} | ${pro.length} |`);
  const [single, several] = [TIERS.free.batchSize, TIERS.pro.batchSize];
  const mostOfList = MAX_LIST_ENTRIES.toLocaleString("en");
  expect(row("Links at once")).toBe(`| Links at once | ${single} | ${several}; of a playlist ${mostOfList} |`);
  expect(row("Webhooks")).toBe(`| Webhooks | ${TIERS.free.maxWebhooks} | ${TIERS.pro.maxWebhooks} |`);
  expect(row("Kept")).toBe(`| Kept | ${free.kept} | ${pro.kept} |`);
});
