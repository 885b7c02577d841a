/** Transcripts, against the running server. */
import { beforeEach, expect, it } from "vitest";
import { BatchAnswer, Preview, Usage } from "../../../common/api.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import { exactly, SENTENCES } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { namesInZip } from "../../dev/testing/unzip.ts";

const server = await ofFile(startTestServer({ settings: { realtime: { tierPollMs: 50 } } }));
const free = await server.newDevice();
beforeEach(() => server.site.reset());

const linkTo = (page: PageName, mark: string): string => `${server.site.urlOf(page)}?${mark}`;

async function start(device: TestDevice, youtubeUrl: string, choices?: ConversionChoices): Promise<Job> {
  const answer = await device.call("POST", "/api/conversions", { youtubeUrl, format: "transcript", choices });
  return Job.parse(await answer.json());
}

async function ended(device: TestDevice, { id }: Job): Promise<Job> {
  return (await device.live()).untilStatus(id, "completed", "failed");
}

it.each<[string, ConversionChoices | undefined, string, string, string]>([
  ["nothing", undefined, "Rain with words (1) (en).srt", "text/plain; charset=utf-8", "1\n00:00:01,000 -->"],
  [
    "VTT",
    { subtitles: { as: "vtt" } },
    "Rain with words (1) (en).vtt",
    "text/vtt; charset=utf-8",
    "WEBVTT\n\n00:00:01.000 -->",
  ],
  [
    "text in German",
    { subtitles: { language: "de", as: "txt" }, part: { startSeconds: 0, endSeconds: 5 } },
    "Rain with words (1) (0.00-0.05) (de).txt",
    "text/plain; charset=utf-8",
    "Es regnet über Malmö\n",
  ],
])("with a choice of %s is a file with a name, a type and a text", async (name, choices, fileName, type, beginning) => {
  const job = await ended(free, await start(free, linkTo("subtitles", name.replaceAll(" ", "")), choices));
  expect(job).toMatchObject({ status: "completed", format: "transcript", quality: "text" });
  const answer = await free.call("GET", `/api/conversions/${job.id}/file`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(answer.headers.get("content-disposition")).toContain(`"${fileName}"`);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const text = await answer.text();
  expect(text.slice(0, beginning.length)).toBe(beginning);
  expect(job).toMatchObject({
    fileSize: Buffer.byteLength(text),
    subtitleLanguage: text.startsWith("Es") ? "de" : "en",
  });
});

it("is made once for two equal requests, of which both are told the language", async () => {
  const link = linkTo("busy-subtitles", "shared");
  const other = await server.newDevice();
  const choices = { subtitles: { language: "de" } };
  const [first, second] = [await start(free, link, choices), await start(other, link, choices)];
  const jobs = [
    await ended(free, first),
    await ended(other, second),
    await ended(free, await start(free, link, choices)),
  ];
  for (const job of jobs) expect(job).toMatchObject({ status: "completed", subtitleLanguage: "de" });
  // Refused twice, then given once.
  expect(server.site.requests.filter(({ path }) => path.endsWith("/de.srt"))).toHaveLength(3);
});

it("is not shared between kinds", async () => {
  const link = linkTo("subtitles", "kinds");
  const names = [];
  for (const as of ["srt", "txt"] as const) {
    const { id } = await ended(free, await start(free, link, { subtitles: { as } }));
    const answer = await free.call("GET", `/api/conversions/${id}/file`);
    names.push((await answer.text()).slice(0, 2));
  }
  expect(names).toEqual(["1\n", "It"]);
});

it("counts as a conversion", async () => {
  const device = await server.newDevice();
  const job = await ended(device, await start(device, linkTo("subtitles", "usage"), { subtitles: { as: "txt" } }));
  if (job.status !== "completed") throw new Error(JSON.stringify(job));
  const { fileSize } = job;
  // It is counted right after the job is completed.
  await expect
    .poll(async () => Usage.parse(await (await device.call("GET", "/api/usage")).json()))
    .toMatchObject({ totalConversions: 1, totalDataUsed: fileSize });
});

it("of a video without subtitles is refused by the preview, and fails with the same sentence", async () => {
  const youtubeUrl = linkTo("rain", "none");
  const { moreEstimates, estimates } = Preview.parse(
    await (await free.call("POST", "/api/preview", { youtubeUrl })).json(),
  );
  const error = { code: "no_subtitles", ...exactly("no_subtitles_at_all") };
  expect(moreEstimates?.transcript).toEqual({
    quality: "text",
    sizeBytes: null,
    fits: false,
    note: error.message,
    error,
  });
  expect(estimates.mp3.fits).toBe(true);
  expect(await ended(free, await start(free, youtubeUrl))).toMatchObject({ status: "failed", error });
});

it("is estimated for the language that is chosen", async () => {
  const estimateFor = async (choices: ConversionChoices) => {
    const body = { youtubeUrl: linkTo("subtitles", "preview"), choices };
    const preview = Preview.parse(await (await free.call("POST", "/api/preview", body)).json());
    return preview.moreEstimates?.transcript;
  };
  expect(await estimateFor({ subtitles: { as: "vtt" } })).toMatchObject({ quality: "text", fits: true, note: null });
  expect(await estimateFor({ subtitles: { language: "fr" } })).toMatchObject({
    fits: false,
    error: { code: "no_subtitles", message: SENTENCES.no_subtitles },
  });
});

it("of an unknown kind is refused, and one for each chapter", async () => {
  const pro = await server.newDevice();
  await server.signIn(pro, { email: "chapters@example.com" });
  await server.setTier("chapters@example.com", "pro");
  const ofChapters = { format: "transcript", choices: { chapterFiles: true } };
  const youtubeUrl = linkTo("chapters", "each");
  expect((await pro.call("POST", "/api/conversions", { youtubeUrl, ...ofChapters })).status).toBe(400);
  expect((await pro.call("POST", "/api/batch-conversions", { urls: [youtubeUrl], ...ofChapters })).status).toBe(400);
  const body = { youtubeUrl: linkTo("subtitles", "ass"), format: "transcript", choices: { subtitles: { as: "ass" } } };
  expect((await free.call("POST", "/api/conversions", body)).status).toBe(400);
});

it("of each link of a batch is packed under its own name", async () => {
  const pro = await server.newDevice();
  await server.signIn(pro, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  const urls = [linkTo("subtitles", "batch"), linkTo("busy-subtitles", "batch"), linkTo("rain", "batch")];
  const choices = { subtitles: { language: "de", as: "vtt" } };
  const answer = await pro.call("POST", "/api/batch-conversions", { urls, format: "transcript", choices });
  const { batchId, jobs } = BatchAnswer.parse(await answer.json());
  const statuses = [];
  for (const job of jobs) statuses.push((await ended(pro, job)).status);
  expect(statuses).toEqual(["completed", "completed", "failed"]);
  const zip = await pro.call("GET", `/api/batch-conversions/${batchId}/zip`);
  expect(await namesInZip(zip, server.config.dataDir)).toEqual([
    "Rain with words (1) (de).vtt",
    "Rain with words later (1) (de).vtt",
  ]);
});
