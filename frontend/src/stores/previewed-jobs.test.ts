import { expect, it } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { createPreviewedJobsStore, withPreview } from "./previewed-jobs.ts";

const PREVIEWED = { title: "Rain on a tin roof", thumbnail: "data:image/jpeg;base64,AA", durationSeconds: 192 };

it("gives a waiting job its preview's data until the server has read the metadata", () => {
  const queued = makeJob({ status: "queued", title: "https://youtu.be/a" });
  expect(withPreview(queued, undefined)).toBe(queued);
  expect(withPreview(queued, PREVIEWED)).toMatchObject({
    title: PREVIEWED.title,
    durationSeconds: 192,
    thumbnailUrl: PREVIEWED.thumbnail,
  });
  const seen = makeJob({ status: "pending", title: "Rain, remastered", durationSeconds: 190 });
  expect(withPreview(seen, PREVIEWED)).toMatchObject({
    title: "Rain, remastered",
    durationSeconds: 190,
    thumbnailUrl: PREVIEWED.thumbnail,
  });
});

it("keeps the previews of the last 20 jobs", () => {
  const store = createPreviewedJobsStore();
  for (let index = 0; index < 25; index += 1) store.getState().add(String(index), PREVIEWED);
  expect([...store.getState().byJob.keys()]).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 5)));
});
