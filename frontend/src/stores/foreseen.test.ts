import { expect, it } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { createForeseenStore, withForeseen } from "./foreseen.ts";

const FORESEEN = { title: "Rain on a tin roof", thumbnail: "data:image/jpeg;base64,AA", durationSeconds: 192 };

it("names a waiting job by what its preview showed, until the server has looked itself", () => {
  const queued = makeJob({ status: "queued", title: "https://youtu.be/a" });
  expect(withForeseen(queued, undefined)).toBe(queued);
  expect(withForeseen(queued, FORESEEN)).toMatchObject({
    title: FORESEEN.title,
    durationSeconds: 192,
    thumbnailUrl: FORESEEN.thumbnail,
  });
  const seen = makeJob({ status: "pending", title: "Rain, remastered", durationSeconds: 190 });
  expect(withForeseen(seen, FORESEEN)).toMatchObject({
    title: "Rain, remastered",
    durationSeconds: 190,
    thumbnailUrl: FORESEEN.thumbnail,
  });
});

it("keeps the last twenty", () => {
  const store = createForeseenStore();
  for (let index = 0; index < 25; index += 1) store.getState().keep(String(index), FORESEEN);
  expect([...store.getState().byJob.keys()]).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 5)));
});
