/** What visitors get who want something done with sponsored segments, from a whole server. */
import { beforeEach, describe, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { Preview } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { FINDING_WORDS } from "../../../common/finding-words.ts";
import type { Job } from "../../../common/job.ts";
import { detailsOf } from "../../../common/preview-details.ts";
import { standInSegment, startSponsorBlock } from "../../dev/stand-ins/sponsor-block.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";
import { openYouTubeSite } from "../../dev/testing/test-youtube.ts";

const { site, caFile } = await ofFile(openYouTubeSite());
const sponsorBlock = await ofFile(startSponsorBlock());
const { proxyUrl } = await site.openExit("one");
const YOUTUBE_SPONSORBLOCK_URL = sponsorBlock.address;
const server = await ofFile(startTestServer({ YOUTUBE_EXITS: proxyUrl, YOUTUBE_SPONSORBLOCK_URL, caFile }));
const device = await server.newDevice();
beforeEach(() => {
  sponsorBlock.mood = "well";
  sponsorBlock.requests.length = 0;
});

const request = (videoId: string, more: object = {}) => ({
  youtubeUrl: `https://www.youtube.com/watch?v=${videoId}`,
  format: "mp3",
  choices: { sponsored: "mark" },
  ...more,
});

/** @returns the job when it has ended */
async function convert(body: object): Promise<Job> {
  const live = await device.live();
  const answer = await device.call("POST", "/api/conversions", body);
  expect(answer.status).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  return live.untilStatus(id, "completed", "failed");
}

it("completes with a note when the server of segments fails, and that file is not given to others", async () => {
  sponsorBlock.videos.set("plain-00001", [standInSegment({ segment: [2, 5] })]);
  sponsorBlock.mood = "status 500";
  const failed = await convert(request("plain-00001"));
  expect(failed).toMatchObject({ status: "completed", sponsorsUnknown: true, note: FINDING_WORDS.sponsorsUnknown });
  sponsorBlock.mood = "well";
  const again = await convert(request("plain-00001"));
  expect(again.status).toBe("completed");
  expect([again.sponsorsUnknown, again.note]).toEqual([undefined, undefined]);
});

it("asks nothing without the choice", async () => {
  expect(await convert(request("plain-00002", { choices: {} }))).toMatchObject({ status: "completed" });
  expect(sponsorBlock.requests).toEqual([]);
});

it.each([
  [{ format: "transcript" }, "Choose another format"],
  [{ format: "original", choices: { sponsored: "cut" } }, "nothing can be cut out of it"],
  [{ choices: { sponsored: "cut", chapterFiles: true } }, ""],
  [{ choices: { sponsored: "keep" } }, ""],
])("refuses %j with a sentence", async (more, sentence) => {
  const answer = await device.call("POST", "/api/conversions", request("plain-00003", more));
  expect(answer.status).toBe(400);
  const message: unknown = expect.stringContaining(sentence);
  expect(ErrorBody.parse(await answer.json())).toMatchObject({ code: "bad_request", message });
});

it("cuts them out, and tells the length that is left", async () => {
  sponsorBlock.videos.set("plain-00004", [standInSegment({ segment: [2, 5], videoDuration: 12 })]);
  const job = await convert(request("plain-00004", { choices: { sponsored: "cut" } }));
  expect(job).toMatchObject({ status: "completed", choices: { sponsored: "cut" } });
  expect(Math.abs((job.durationSeconds ?? 0) - 9)).toBeLessThan(0.1);
});

describe("a preview", () => {
  const preview = async (videoId: string, choices: object = {}): Promise<Preview> => {
    const youtubeUrl = `https://www.youtube.com/watch?v=${videoId}`;
    return Preview.parse(await (await device.call("POST", "/api/preview", { youtubeUrl, choices })).json());
  };

  it("tells how many segments there are and how long, and asks once whatever is chosen", async () => {
    sponsorBlock.videos.set("plain-00005", [
      standInSegment({ segment: [2, 4.5] }),
      standInSegment({ segment: [9, 10] }),
    ]);
    const found = await preview("plain-00005");
    expect(detailsOf(found).sponsored).toEqual({ count: 2, seconds: 3.5 });
    const cut = await preview("plain-00005", { sponsored: "cut" });
    const [wholeBytes = NaN, bytes] = [found, cut].map(({ estimates }) => estimates.mp3.sizeBytes ?? NaN);
    expect(bytes).toBe(Math.round((wholeBytes * 8.5) / 12));
    expect(sponsorBlock.requests).toHaveLength(1);
  });

  it.each(["well", "status 500", "never"] as const)(
    "tells nothing when the server answers %s without any",
    async (mood) => {
      sponsorBlock.mood = mood;
      expect(detailsOf(await preview("plain-00006")).sponsored).toBeUndefined();
    },
  );
});

it("is not asked, and nothing is told, where the operator has not switched it on", async () => {
  sponsorBlock.videos.set("plain-00007", [standInSegment({ segment: [2, 4.5] })]);
  await server.stop();
  await server.start({ YOUTUBE_SPONSORBLOCK_URL: "" });
  const youtubeUrl = "https://www.youtube.com/watch?v=plain-00007";
  const answer = await device.call("POST", "/api/preview", { youtubeUrl });
  expect(detailsOf(Preview.parse(await answer.json())).sponsored).toBeUndefined();
  expect(await convert(request("plain-00007"))).toMatchObject({ status: "completed", sponsorsUnknown: true });
  expect(sponsorBlock.requests).toEqual([]);
});
