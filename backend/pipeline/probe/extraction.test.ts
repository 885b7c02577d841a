import { expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { startTestExtractor } from "../../dev/testing/test-extractor.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { extract } from "./extraction.ts";

const own = await ofFile(openTestPipeline());
const { folder } = own;
// Loads yt-dlp once for all links.
const pipeline = { ...own.pipeline, extractorHost: await ofFile(startTestExtractor(folder)) };

it.each([
  "https://www.youtube.com/about",
  "https://youtu.be/x",
  "https://vimeo.com/a/page/about/it",
  "https://x.com/about",
  "https://mobile.x.com./about",
  "https://vk.com/about",
  "https://la7.it/",
  "https://www.bbc.co.uk/",
])("does not use the generic extractor for pages of a known site: %s", async (link) => {
  await expect(extract({ pipeline, signal: new AbortController().signal }, link, folder)).rejects.toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("No suitable extractor"),
  });
});

it.each([
  "https://unheard-of.example/watch",
  // Extractors are called "video.sky.it" and "livestreamfails".
  "https://video.unheard-of.example/watch",
  "https://live.unheard-of.co.uk/watch",
])("asks the generic extractor for a site that no other knows: %s", async (link) => {
  await expect(extract({ pipeline, signal: new AbortController().signal }, link, folder)).rejects.toMatchObject({
    code: "network",
    detail: expect.stringContaining("[generic] watch: Unable to download webpage"),
  });
});

it("rejects a local host that the operator has not allowed", async () => {
  await expect(
    extract({ pipeline, signal: new AbortController().signal }, "http://localhost:9/watch", folder),
  ).rejects.toMatchObject({
    code: "unsupported_host",
    detail: expect.stringContaining("localhost:9"),
  });
});
