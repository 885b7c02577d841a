import { expect, it } from "vitest";
import { estimateOf, Preview } from "./api.ts";
import { detailsOf } from "./preview-details.ts";

const FITS = { quality: "128kbps", sizeBytes: 1, fits: true, note: null };
const ORIGINAL = { quality: "original", sizeBytes: 2, fits: true, note: null };
const PREVIEW = { title: "t", thumbnail: null, durationSeconds: 1, estimates: { mp3: FITS, mp4: FITS } };

it("reads the estimates of both lists", () => {
  const preview = Preview.parse({ ...PREVIEW, moreEstimates: { original: ORIGINAL } });
  expect([estimateOf(preview, "mp3"), estimateOf(preview, "original"), estimateOf(preview, "wav")]).toEqual([
    FITS,
    ORIGINAL,
    undefined,
  ]);
});

it("reads a preview of a server of the previous build, which has no further estimates", () => {
  expect(estimateOf(Preview.parse(PREVIEW), "flac")).toBeUndefined();
});

it("reads the details that it knows, whatever else a server sends", () => {
  const chapters = [{ title: "One", startSeconds: 0 }];
  const read = (details?: unknown) => detailsOf(Preview.parse({ ...PREVIEW, details }));
  expect(read({ chapters, hologram: 3 }).chapters).toEqual(chapters);
  for (const details of [
    undefined,
    null,
    "many",
    { chapters: [{ title: 3 }] },
    { chapters: Array(256).fill(chapters[0]) },
  ])
    expect(read(details).chapters).toEqual([]);
});

it("leaves out what a newer server adds", () => {
  const estimates = { ...PREVIEW.estimates, hologram: { depth: 3 } };
  const moreEstimates = { original: ORIGINAL, hologram: { depth: 3 }, wav: { ...ORIGINAL, quality: "sharper" } };
  const preview = Preview.parse({ ...PREVIEW, estimates, moreEstimates });
  expect(preview.moreEstimates).toEqual({ original: ORIGINAL });
  expect(preview.estimates).toEqual(PREVIEW.estimates);
  expect(Preview.parse({ ...PREVIEW, moreEstimates: "many" }).estimates).toEqual(PREVIEW.estimates);
});
