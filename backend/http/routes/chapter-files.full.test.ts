/** One file for each chapter of a video, against the running server. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, expect, it } from "vitest";
import { Preview } from "../../../common/api.ts";
import { Job } from "../../../common/job.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { unzip } from "../../dev/testing/unzip.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";

const choices = { chapterFiles: true } as const;
const FOR_PRO = {
  code: "pro_required",
  message: "One file per chapter is for Pro only.",
  reason: { name: "chapter_files_for_pro" },
};
const NO_CHAPTERS = { code: "no_chapters", message: "This video has no chapters. Convert it as one file." };

const folder = await testFolder();
const server = await ofFile(startTestServer());
const free = await server.newDevice();
const pro = await server.newDevice();
beforeAll(async () => {
  await server.signIn(pro, { email: "chapters@example.com" });
  await server.setTier("chapters@example.com", "pro");
});

const ask = (device: TestDevice, page: PageName, more = {}) =>
  device.call("POST", "/api/conversions", { youtubeUrl: server.site.urlOf(page), choices: { ...choices, ...more } });

async function ended(answer: Response): Promise<Job> {
  const { id } = Job.parse(await answer.json());
  return (await pro.live()).untilStatus(id, "completed", "failed");
}

it("is one archive, of the size that the job names", async () => {
  const job = await ended(await ask(pro, "chapters"));
  expect(job).toMatchObject({ status: "completed", format: "mp3", choices });
  const answer = await pro.call("GET", `/api/conversions/${job.id}/file`);
  expect(answer.headers.get("content-type")).toBe("application/zip");
  expect(answer.headers.get("content-disposition")).toContain('.zip"');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(job).toMatchObject({ fileSize: bytes.length });
  await writeFile(join(folder, "all.zip"), bytes);
  const unpacked = await unzip(join(folder, "all.zip"), folder);
  expect(unpacked.map(({ name }) => name)).toEqual([
    "01 First drops.mp3",
    "02 On the tin roof.mp3",
    "03 The gutter; overflowing = _loud_ #3.mp3",
    "04 Nach dem Regen 🌈.mp3",
  ]);
  const { common } = await parseFile(unpacked[1]?.path ?? "");
  expect(common).toMatchObject({ title: "On the tin roof", album: "Rain in four parts", track: { no: 2, of: 4 } });
  await expect.poll(() => readdir(join(server.config.dataDir, "scratch"))).toEqual([]);
});

it("is refused to free visitors, before and when they convert", async () => {
  const refused = await ask(free, "chapters");
  expect([refused.status, await refused.json()]).toEqual([402, FOR_PRO]);
  const youtubeUrl = server.site.urlOf("chapters");
  const preview = Preview.parse(await (await free.call("POST", "/api/preview", { youtubeUrl, choices })).json());
  expect(preview.estimates.mp3).toMatchObject({ fits: false, error: FOR_PRO });
});

it("is refused with a sentence where there are no chapters, before and when it is converted", async () => {
  const youtubeUrl = server.site.urlOf("rain");
  const preview = Preview.parse(await (await pro.call("POST", "/api/preview", { youtubeUrl, choices })).json());
  for (const estimate of [preview.estimates.mp3, preview.estimates.mp4, preview.moreEstimates?.flac])
    expect(estimate).toMatchObject({ fits: false, error: NO_CHAPTERS });
  expect(await ended(await ask(pro, "rain"))).toMatchObject({ status: "failed", error: NO_CHAPTERS });
});

it("is not made of a part", async () => {
  const answer = await ask(pro, "chapters", { part: { startSeconds: 1, endSeconds: 9 } });
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: "bad_request" }]);
});
