import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startEgressGuard } from "./egress-guard.ts";
import { extract } from "./extraction.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "./pipeline.ts";

let folder: string;
let pipeline: Pipeline;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "extraction-"));
  const tools = { ...inject("toolPaths"), nodePath: process.execPath };
  pipeline = { tools, guard: await startEgressGuard({ allow: [] }), videoHosts: [], limits: DEFAULT_PIPELINE_LIMITS };
});
afterAll(async () => {
  await pipeline.guard.stop();
  await rm(folder, { recursive: true });
});

it.each(["https://www.youtube.com/about", "https://youtu.be/x", "https://vimeo.com/a/page/about/it"])(
  "leaves pages of a site with an extractor of its own to that alone: %s",
  async (link) => {
    await expect(extract(pipeline, link, folder, new AbortController().signal)).rejects.toMatchObject({
      code: "unavailable",
      detail: expect.stringContaining("No suitable extractor"),
    });
  },
);

it("takes a host of this network for a page only if the operator named it", async () => {
  await expect(extract(pipeline, "http://localhost:9/watch", folder, new AbortController().signal)).rejects.toMatchObject({
    code: "unsupported_host",
    detail: expect.stringContaining("localhost:9"),
  });
});
