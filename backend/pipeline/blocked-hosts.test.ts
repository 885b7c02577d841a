/** Hosts that a page leads to, while the operator has blocked them. */
import { expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import { BlockList } from "../domain/blocks/block-list.ts";

const blocks = new BlockList();
// The host of the site's private target. Blocked goes before private.
blocks.replace([{ kind: "host", value: "127.0.0.1", until: null }]);
const sample = await ofFile(samplePipeline({ blocks }));

it.each(["redirect-private", "player-private", "media-redirect-private"] as const)(
  "a blocked host is not contacted from %s",
  async (page) => {
    await expect(sample.convert({ page, format: "mp4" })).rejects.toMatchObject({ code: "blocked" });
    expect(sample.site.privateTarget.contacts).toBe(0);
  },
);
