import { join } from "node:path";
import { beforeAll } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import { LinkSlots } from "./link-slots.ts";
import { ListReader } from "./list-reader.ts";
import { describeLookups, type LookupsUnderTest } from "./lookups.contract.ts";
import { PreviewMaker } from "./previews.ts";

const KEPT = { keepMs: 60_000, maxKept: 10, maxKeptBytes: 1_000_000 };
const PATIENT_MS = 60_000;

const sample = await ofFile(samplePipeline());
let lookups: LookupsUnderTest["lookups"];
beforeAll(async () => {
  const { pipeline, folder } = sample;
  const slots = new LinkSlots({ scratchFolder: join(folder, "scratch"), concurrency: 2 });
  const previews = new PreviewMaker(pipeline, slots, { pictureMs: PATIENT_MS, sponsorsMs: PATIENT_MS, kept: KEPT });
  const lists = new ListReader(pipeline, slots, { pictureMs: PATIENT_MS, kept: KEPT });
  lookups = { previews, lists };
  return async () => {
    previews.stop();
    lists.stop();
    await slots.untilIdle();
  };
});

describeLookups(() => ({
  lookups,
  video: sample.site.urlOf("cello"),
  list: sample.site.urlOf("list-60"),
  gone: sample.site.urlOf("gone"),
  held: sample.site.urlOf("stalled-page"),
  untilHeld: (count) => sample.site.nthRequest("/watch/stalled-page", count),
}));
