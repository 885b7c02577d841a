import { expect, it } from "vitest";
import { HOUR_MS } from "../../../common/durations.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { readSites } from "./site-figures.ts";

const domain = domainForTests();

async function ask(link: string, change: object = {}): Promise<void> {
  const { _id } = await createConversion(domain, newViewer(), { youtubeUrl: link, format: "mp3" });
  await domain.jobs.updateOne({ _id }, { $set: change });
}
const failed = (code: string) => ({ status: "failed", error: { code, message: "It failed." } });

it("counts what became of the jobs of the last hour at each site, the most asked first", async () => {
  await ask("https://video.example/1", { status: "completed" });
  await ask("https://video.example/2", failed("site_blocked"));
  await ask("https://www.video.example/3", failed("site_changed"));
  await ask("https://video.example/4", failed("private"));
  await ask("https://video.example/5");
  await ask("https://youtu.be/dQw4w9WgXcQ", { status: "completed" });
  await ask("https://youtu.be/dQw4w9WgXcQ", { status: "completed", cutOf: { fileKey: "a.1.mp3" } });
  const before = new Date(Date.now() - HOUR_MS - 1_000);
  await domain.jobs.collection.updateOne({ sourceUrl: /video\.example\/5/ }, { $set: { createdAt: before } });
  expect(await readSites(domain)).toEqual([
    { site: "video.example", asked: 4, completed: 1, failed: 3, refusing: 1, changed: 1 },
    { site: "youtube.com", asked: 1, completed: 1, failed: 0, refusing: 0, changed: 0 },
  ]);
});

it("names ten sites and no more", async () => {
  const hosts = Array.from({ length: 11 }, (_, index) => `s${String(index)}.video.example`);
  for (const host of hosts) await ask(`https://${host}/1`);
  expect(await readSites(domain)).toHaveLength(10);
});
