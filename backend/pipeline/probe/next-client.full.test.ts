/** Which client of YouTube is asked after a refusal, on the real yt-dlp and the YouTube-shaped site. */
import { beforeEach, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { ConversionErrorCode } from "../../../common/errors.ts";
import type { ExactReason } from "../../../common/reasons.ts";
import type { VideoId } from "../../dev/stand-ins/youtube-site/videos.ts";
import { openTestYouTube, usualAccess } from "../../dev/testing/test-youtube.ts";
import type { Pipeline } from "../pipeline.ts";
import { extract } from "./extraction.ts";
import type { VideoInfo } from "./info.ts";

const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
const pipeline: Pipeline = { ...base, youtube: await usualAccess(site) };
beforeEach(() => site.reset());

function read(videoId: VideoId, own = pipeline): Promise<VideoInfo> {
  return extract(
    { pipeline: own, signal: new AbortController().signal },
    `https://www.youtube.com/watch?v=${videoId}`,
    folder,
  );
}

/** @returns the page and the clients whose calls the site got, in order; the solver's script is of no interest */
function asked(): readonly string[] {
  return site.requests.filter(({ kind }) => kind !== "script").map(({ kind, client }) => client || kind);
}

it.each<VideoId>(["app-refused", "kids-no-emb", "call-400-01", "call-500-01", "new-word-01"])(
  "asks another client where one is refused: %s",
  async (videoId) => {
    const { renditions } = await read(videoId);
    expect(renditions.map(({ id }) => id)).toContain("18");
    expect(asked()).toContain("VISIONOS");
  },
);

it.each<[VideoId, ConversionErrorCode, RegExp]>([
  ["captcha-abc", "unavailable", /This video is unavailable/],
  ["reload-page", "site_blocked", /needs to be reloaded/],
  ["sabr-only-1", "site_changed", /No video formats found/],
  ["new-word-02", "site_changed", /on the moon/],
])("asks every client once where all are refused: %s is %s", async (videoId, code, detail) => {
  await expect(read(videoId)).rejects.toMatchObject({ code, detail: expect.stringMatching(detail) });
  expect(asked().filter((client) => client === "VISIONOS")).toHaveLength(1);
  expect(site.requests.length).toBeLessThanOrEqual(4);
});

it("takes calls that every client makes in vain for a change of the site", async () => {
  await expect(read("call-400-02")).rejects.toMatchObject({ code: "site_changed", refuses: "client" });
  expect(asked().filter((client) => client === "page")).toHaveLength(2);
});

it.each<[VideoId, ConversionErrorCode, ExactReason | undefined]>([
  ["removed-one", "unavailable", undefined],
  ["self-harm-1", "login_required", undefined],
  ["processing1", "live", "still_processing"],
  ["pay-to-see1", "members_only", "paid_video"],
  ["restricted1", "login_required", "restricted_mode"],
])("asks no other client where the video itself is refused: %s is %s", async (videoId, code, exact) => {
  const reason = exact && { name: exact };
  await expect(read(videoId)).rejects.toMatchObject({ code, reason });
  expect(asked()).toEqual(["page", "VISIONOS"]);
});

it.each<VideoId>(["kids-no-emb", "call-400-01"])(
  "says that the fault is ours where a video may need a script, and nothing runs one: %s",
  async (videoId) => {
    const { denoPath: _, ...tools } = pipeline.tools;
    await expect(read(videoId, { ...pipeline, tools })).rejects.toMatchObject({
      code: "site_changed",
      reason: { name: "script_not_run" },
      detail: expect.stringMatching(/^no runtime for the site's scripts; /),
    });
  },
);

it("says what is said of a video itself without a runtime for scripts", async () => {
  const { denoPath: _, ...tools } = pipeline.tools;
  await expect(read("removed-one", { ...pipeline, tools })).rejects.toMatchObject({ code: "unavailable" });
});

it("asks no client twice without a runtime for scripts", async () => {
  const { denoPath: _, ...tools } = pipeline.tools;
  await expect(read("app-refused", { ...pipeline, tools })).rejects.toMatchObject({ code: "site_changed" });
  expect(asked()).toEqual(["page", "VISIONOS"]);
});

it("leaves out clients that yt-dlp does not know", async () => {
  // It would ask its own clients in place of the first choice.
  const youtube = pipeline.youtube && { ...pipeline.youtube, clientOrder: ["tv_embedded", "visionos"] };
  await read("plain-video", { ...pipeline, youtube });
  expect(asked()).toEqual(["page", "VISIONOS"]);
});
