/** Previews of YouTube videos whose subtitles are withheld from the client that is asked first. */
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { HOUR_MS } from "../../common/durations.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import type { ConversionChoices } from "../../common/choices.ts";
import { detailsOf } from "../../common/preview-details.ts";
import { TIERS } from "../../common/tiers.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import { openTestYouTube, usualAccess } from "../dev/testing/test-youtube.ts";
import { convertAsTold } from "../dev/testing/told-findings.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { Extractions } from "../pipeline/probe/extractions.ts";
import { LinkSlots } from "./link-slots.ts";
import { PreviewMaker } from "./previews.ts";

const KEPT = { keepMs: HOUR_MS, maxKept: 10, maxKeptBytes: 1_000_000 };
const PATIENT_MS = 60_000;
/** As the page sends it when a visitor wants to see which there are. */
const ANY: ConversionChoices = { subtitles: {} };

const resources = new AsyncDisposableStack();
const youtube = await ofFile(openTestYouTube());
const { site, folder } = youtube;
const base: Pipeline = { ...youtube.pipeline, youtube: await usualAccess(site) };
afterAll(() => resources.disposeAsync());
beforeEach(() => site.reset());

const linkOf = (videoId: VideoId): string => `https://www.youtube.com/watch?v=${videoId}`;
const pages = (): number => site.count({ kind: "page" });

interface Opened {
  readonly pipeline: Pipeline;
  readonly previews: PreviewMaker;
}

function open(): Opened {
  const pipeline = { ...base, extractions: new Extractions(KEPT) };
  const slots = new LinkSlots({ scratchFolder: path.join(folder, "scratch"), concurrency: 1 });
  const previews = new PreviewMaker(pipeline, slots, { pictureMs: PATIENT_MS, sponsorsMs: PATIENT_MS, kept: KEPT });
  resources.defer(async () => {
    previews.stop();
    await slots.untilIdle();
  });
  return { pipeline, previews };
}

async function subtitlesIn(previews: PreviewMaker, videoId: VideoId, choices: ConversionChoices) {
  const preview = await previews.create(linkOf(videoId), "pro", choices, new AbortController().signal);
  const { subtitles, withholdsSubtitles = false } = detailsOf(preview);
  const languages = subtitles.map(({ language }) => language);
  return { languages, withholdsSubtitles, fits: preview.moreEstimates?.transcript?.fits };
}

it("asks another client for them only when the visitor chooses subtitles", async () => {
  const { previews } = open();
  const withheld = { languages: [], withholdsSubtitles: true, fits: false };
  expect(await subtitlesIn(previews, "captions-tv", {})).toEqual(withheld);
  expect(pages()).toBe(1);
  const given = { languages: ["en"], withholdsSubtitles: false, fits: true };
  expect(await subtitlesIn(previews, "captions-tv", ANY)).toEqual(given);
  expect(pages()).toBe(2);
  // Both extractions are kept.
  expect(await subtitlesIn(previews, "captions-tv", ANY)).toEqual(given);
  expect(pages()).toBe(2);
});

it("leaves both extractions to the conversion after it", async () => {
  const { pipeline, previews } = open();
  await subtitlesIn(previews, "captions-tv", ANY);
  const request = {
    url: linkOf("captions-tv"),
    format: "transcript",
    choices: { subtitles: { language: "en" } },
    limits: TIERS.pro,
    folder: await mkdtemp(path.join(folder, "job-")),
  } as const;
  const listener = { found: () => undefined, progress: () => undefined };
  await convertAsTold({ request, listener, pipeline, signal: new AbortController().signal });
  expect(pages()).toBe(2);
});

it.each<VideoId>(["no-captions", "captions-no"])(
  "says that they were withheld where no other client gets them: %s",
  async (videoId) => {
    const { previews } = open();
    expect(await subtitlesIn(previews, videoId, ANY)).toEqual({ languages: [], withholdsSubtitles: true, fits: false });
  },
);

it("asks no other client where none are withheld", async () => {
  const { previews } = open();
  expect(await subtitlesIn(previews, "no-subtitle", ANY)).toMatchObject({ languages: [], withholdsSubtitles: false });
  expect(pages()).toBe(1);
});
