/** A site that never answers, while visitors look at links of another one. */
import { beforeAll, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import { linkOfShape, writePlugin } from "../dev/testing/shape-site.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { LinkSlots } from "./link-slots.ts";
import { ListReader } from "./list-reader.ts";
import { PreviewMaker } from "./previews.ts";

const KEPT = { keepMs: 60_000, maxKept: 10, maxKeptBytes: 1_000_000 };
const PATIENT_MS = 60_000;

const never = new AbortController().signal;
const sample = await ofFile(samplePipeline());
let pipeline: Pipeline;
/** Requests that the silent site has had. */
let askedBefore = 0;
beforeAll(async () => {
  const { tools } = sample.pipeline;
  pipeline = { ...sample.pipeline, tools: { ...tools, pluginFolders: [await writePlugin(sample.folder)] } };
});

it.each([1, 2])("does not hold up previews and lists of another site, with %i slots", async (concurrency) => {
  const slots = new LinkSlots({ scratchFolder: sample.folder, concurrency });
  const previews = new PreviewMaker(pipeline, slots, { pictureMs: PATIENT_MS, sponsorsMs: PATIENT_MS, kept: KEPT });
  const lists = new ListReader(pipeline, slots, { pictureMs: PATIENT_MS, kept: KEPT });
  const silent = sample.site.urlOf("stalled-page");
  const stalled = sample.site.nthRequest("/watch/stalled-page", askedBefore + concurrency);
  const asked = [1, 2, 3, 4].map((n) => previews.create(`${silent}?n=${n}`, "free", {}, never));
  asked.push(...[5, 6].map((n) => previews.create(`${silent}?n=${n}`, "pro", {}, never)));
  const outcomes = Promise.allSettled(asked);
  await stalled;
  askedBefore += concurrency;
  const format = { format_id: "1", url: "https://media.example/1.mp4", vcodec: "avc1", acodec: "mp4a" };
  const video = { id: "1", title: "Of a site that answers", duration: 3, formats: [format] };
  const list = { _type: "playlist", id: "2", title: "A list", entries: [video, { ...video, id: "3" }] };
  const [preview, read] = await Promise.all([
    previews.create(linkOfShape(video), "free", {}, never),
    lists.read(linkOfShape(list), 10, never),
  ]);
  expect(preview.title).toBe(video.title);
  expect(read.entries).toHaveLength(2);
  previews.stop();
  lists.stop();
  const ended = await outcomes;
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await slots.untilIdle();
});
