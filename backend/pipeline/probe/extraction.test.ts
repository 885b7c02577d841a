import { beforeAll, expect, it } from "vitest";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { startExtractorHost } from "../extractor-host/extractor-host.ts";
import { extract } from "./extraction.ts";
import type { Pipeline } from "../pipeline.ts";

let folder: string;
let pipeline: Pipeline;
beforeAll(async () => {
  const own = await openTestPipeline();
  ({ folder } = own);
  const { tools, sandbox } = own.pipeline;
  // Loads yt-dlp once for all links.
  const extractorHost = await startExtractorHost(tools.ytDlpPath, folder, undefined, sandbox);
  if (!extractorHost) throw new Error("yt-dlp cannot be kept loaded");
  pipeline = { ...own.pipeline, extractorHost };
  return async () => {
    await extractorHost[Symbol.asyncDispose]();
    await own.close();
  };
});

it.each([
  "https://www.youtube.com/about",
  "https://youtu.be/x",
  "https://vimeo.com/a/page/about/it",
  "https://x.com/about",
  "https://mobile.x.com./about",
  "https://vk.com/about",
  "https://la7.it/",
])("does not use the generic extractor for pages of a known site: %s", async (link) => {
  await expect(extract({ pipeline, signal: new AbortController().signal }, link, folder)).rejects.toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("No suitable extractor"),
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
