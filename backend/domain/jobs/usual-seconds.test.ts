import { expect, it } from "vitest";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { createConversion } from "./add-jobs.ts";
import { createUsualSeconds, measureUsualSeconds } from "./usual-seconds.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const HOUR_MS = 3_600_000;

const domain = domainForTests();

/** Stores a completed conversion that took `seconds` and was completed `agoMs` before NOW. */
async function ready(
  seconds: number,
  more: { agoMs?: number; isRepeat?: boolean; status?: string; waitsSince?: Date } = {},
): Promise<void> {
  const { agoMs = HOUR_MS, isRepeat, status = "completed", waitsSince } = more;
  const { _id } = await createConversion(domain, newViewer(), {
    youtubeUrl: "https://video.example/a",
    format: "mp3",
  });
  const completedAt = new Date(NOW.getTime() - agoMs);
  const createdAt = new Date(completedAt.getTime() - seconds * 1_000);
  await domain.jobs.updateOne(
    { _id },
    {
      $set: {
        status,
        createdAt,
        completedAt,
        ...(isRepeat === undefined ? {} : { isRepeat }),
        ...(waitsSince && { waitsSince }),
      },
    },
  );
}

it("is the median of the last day's conversions", async () => {
  for (const seconds of [3, 200, 14, 9, 30]) await ready(seconds);
  expect(await measureUsualSeconds(domain, NOW)).toBe(14);
  await ready(18);
  expect(await measureUsualSeconds(domain, NOW)).toBe(16);
});

it("is null for fewer than five conversions", async () => {
  for (const seconds of [3, 4, 5, 6]) await ready(seconds);
  expect(await measureUsualSeconds(domain, NOW)).toBeNull();
});

it("leaves out reused files, old conversions, failed ones, and those that waited for the video site", async () => {
  for (const seconds of [20, 20, 20, 20]) await ready(seconds);
  for (let n = 0; n < 10; n += 1) await ready(1, { isRepeat: true });
  await ready(3_600, { waitsSince: new Date(NOW.getTime() - 2 * HOUR_MS) });
  await ready(1, { agoMs: 25 * HOUR_MS });
  await ready(1, { status: "failed" });
  expect(await measureUsualSeconds(domain, NOW)).toBeNull();
  await ready(20);
  expect(await measureUsualSeconds(domain, NOW)).toBe(20);
});

it("measures at most once a minute", async () => {
  let nowMs = NOW.getTime();
  const usualSeconds = createUsualSeconds(domain, () => nowMs);
  expect(await usualSeconds()).toBeNull();
  for (let n = 0; n < 5; n += 1) await ready(7);
  nowMs += 59_999;
  expect(await usualSeconds()).toBeNull();
  nowMs += 1;
  expect(await usualSeconds()).toBe(7);
});
