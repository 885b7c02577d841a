/** What visitors get for YouTube links, from a whole server, against a YouTube-shaped site. */
import { beforeEach, describe, expect, it } from "vitest";
import { ofFile } from "./dev/testing/of-file.ts";
import { ErrorBody, type ErrorCode, EXACT_SENTENCES, SENTENCES } from "../common/errors.ts";
import type { Job } from "../common/job.ts";
import { makePlayer } from "./dev/stand-ins/youtube-site/player-script.ts";
import type { VideoId } from "./dev/stand-ins/youtube-site/videos.ts";
import { startTestServer } from "./dev/testing/test-server.ts";
import { openYouTubeSite } from "./dev/testing/test-youtube.ts";
import { LIVE_JUST_ENDED } from "./pipeline/errors/wording.ts";

const { site, caFile } = await ofFile(openYouTubeSite());
const exit = await site.openExit("one");
const server = await ofFile(
  startTestServer({ YOUTUBE_EXITS: exit.proxyUrl, caFile, settings: { domain: { maxAttempts: 2 } } }),
);
const device = await server.newDevice();
beforeEach(() => site.reset());

const watch = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`;

/** Requests a conversion to MP3. @returns the job when it has ended */
async function convert(link: string): Promise<Job> {
  const live = await device.live();
  const { id } = await device.convert(link);
  return live.untilStatus(id, "completed", "failed");
}

it("takes every form of a video's address for one video, which is read and converted once", async () => {
  const id = "plain-00099";
  const links = [
    watch(id),
    `https://youtu.be/${id}?si=abcdef`,
    `https://www.youtube.com/shorts/${id}`,
    `https://www.youtube.com/live/${id}`,
    `https://www.youtube.com/embed/${id}`,
    `https://music.youtube.com/watch?v=${id}`,
    `https://m.youtube.com/watch?v=${id}`,
    `https://www.youtube-nocookie.com/embed/${id}`,
  ];
  const jobs = await Promise.all(links.map(convert));
  expect(jobs.map(({ status }) => status)).toEqual(links.map(() => "completed"));
  expect(site.count({ kind: "page" })).toBe(1);
  expect(site.count({ kind: "media" })).toBe(1);
});

it("fetches the player's script once for each version, over six jobs and a restart", async () => {
  const ids = (kind: string, from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => `${kind}-${String(from + index).padStart(5, "0")}`);
  const convertAll = async (videoIds: readonly string[]): Promise<void> => {
    const jobs = await Promise.all(videoIds.map((id) => convert(watch(id))));
    expect(jobs.map(({ status }) => status)).toEqual(videoIds.map(() => "completed"));
  };
  await convertAll(ids("plain", 1, 2));
  expect(site.count({ kind: "script" })).toBe(0);
  await convertAll(ids("embed", 1, 3));
  await server.stop();
  await server.start();
  await convertAll(ids("embed", 3, 5));
  expect(site.count({ kind: "script" })).toBe(1);
  site.player = makePlayer(2);
  await convertAll(ids("embed", 5, 6));
  expect(site.count({ kind: "script" })).toBe(2);
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
});

describe("a refused video", () => {
  /** Its code and sentence; two attempts where another one may succeed. */
  it.each<[VideoId, ErrorCode, string, 1 | 2]>([
    ["private-one", "private", SENTENCES.private, 1],
    ["members-one", "members_only", SENTENCES.members_only, 1],
    ["premium-one", "members_only", "This song is for Music Premium members only, so it cannot be converted.", 1],
    ["removed-one", "unavailable", SENTENCES.unavailable, 1],
    ["terminated1", "unavailable", SENTENCES.unavailable, 1],
    ["copyright-1", "unavailable", "This video was removed after a copyright claim.", 1],
    ["copyrightgb", "geo_blocked", SENTENCES.geo_blocked, 1],
    ["geo-blocked", "geo_blocked", SENTENCES.geo_blocked, 1],
    ["age-gate-01", "login_required", SENTENCES.login_required, 1],
    ["live-now-01", "live", SENTENCES.live, 1],
    ["live-ended1", "live", LIVE_JUST_ENDED.message, 1],
    ["processing1", "live", EXACT_SENTENCES.still_processing, 1],
    ["pay-to-see1", "members_only", EXACT_SENTENCES.paid_video, 1],
    ["restricted1", "login_required", EXACT_SENTENCES.restricted_mode, 1],
    ["self-harm-1", "login_required", SENTENCES.login_required, 1],
    ["new-word-02", "site_changed", SENTENCES.site_changed, 1],
    ["call-400-02", "site_changed", SENTENCES.site_changed, 2],
    ["reload-page", "site_blocked", SENTENCES.site_blocked, 2],
    ["pages-500-1", "site_blocked", SENTENCES.site_blocked, 2],
    ["media-403-1", "site_blocked", SENTENCES.site_blocked, 1],
    ["sabr-only-1", "site_changed", SENTENCES.site_changed, 2],
  ])("%s fails as %s with %j", async (videoId, code, message, attempt) => {
    expect(await convert(watch(videoId))).toMatchObject({ status: "failed", attempt, error: { code, message } });
  });

  it("fails as site_changed when nobody can read the player's script", async () => {
    site.player = makePlayer(3, { isReadable: false });
    const { site_changed: message } = SENTENCES;
    expect(await convert(watch("age-embedde"))).toMatchObject({ error: { code: "site_changed", message } });
    site.player = makePlayer(4);
  });

  it.each<[VideoId, hours: number]>([
    ["premiere-01", 2],
    ["live-to-com", 3],
  ])("%s fails with the time of its start, in a preview too", async (videoId, hours) => {
    const aboutMs = Date.now() + hours * 60 * 60_000;
    const answer = await device.call("POST", "/api/preview", { youtubeUrl: watch(videoId) });
    const job = await convert(watch(videoId));
    for (const body of [await answer.json(), "error" in job && job.error]) {
      const { code, message, reason } = ErrorBody.parse(body);
      expect({ code, reason }).toMatchObject({ code: "live", reason: { name: "starts_later", precision: "hour" } });
      const startsMs = reason?.name === "starts_later" ? Date.parse(reason.startsAt) : 0;
      expect(startsMs).toBeGreaterThanOrEqual(aboutMs);
      expect(startsMs).toBeLessThan(Date.now() + (hours * 60 + 1) * 60_000);
      expect(message).toContain("This video starts around 20");
    }
  });
});

// The exit is paused after this, so it comes last.
it("lets a job wait in its row while YouTube refuses us, and says so in a preview", async () => {
  exit.treatment = "bot_check";
  const live = await device.live();
  const { id } = await device.convert(watch("plain-00098"));
  await live.until(id, (job) => job.status === "queued" && job.resumesAt !== undefined);
  const answer = await device.call("POST", "/api/preview", { youtubeUrl: watch("plain-00097") });
  expect(ErrorBody.parse(await answer.json())).toEqual({ code: "busy", message: SENTENCES.busy });
});
