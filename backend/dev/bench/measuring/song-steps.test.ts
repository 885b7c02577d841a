import { expect, it } from "vitest";
import { songSteps } from "./song-steps.ts";

const request = (kind: string, fromMs: number, toMs: number) => ({ kind, fromMs, toMs });
const REQUESTS = [
  request("page", 1_300, 1_400),
  request("player", 1_500, 1_510),
  request("picture", 1_580, 1_590),
  request("media", 1_600, 1_900),
  request("media", 1_700, 1_800),
];

it("divides the time of a conversion at its requests, without a gap", () => {
  const steps = songSteps(REQUESTS, { postedAtMs: 1_000, writtenAtMs: 3_000, completedAtMs: 3_020 });
  expect(steps).toEqual({ host: 0.3, page: 0.2, "player call": 0.1, media: 0.3, LAME: 1.1, store: 0.02 });
});

it("leaves nothing to LAME where the file was complete before the site had sent the end of its answer", () => {
  const steps = songSteps(REQUESTS, { postedAtMs: 1_000, writtenAtMs: 1_850, completedAtMs: 2_000 });
  expect(steps).toMatchObject({ media: 0.3, LAME: 0, store: 0.1 });
});
