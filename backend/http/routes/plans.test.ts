/**
 * What each plan may ask for, and what then reaches the pipeline. What the tools make of it is in the full tests of tiers,
 * formats, parts, transcripts, files of chapters and sponsored segments.
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BatchAnswer } from "../../../common/api.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { Format, qualityFor, Tier, tierConvertsTo, TIERS } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { FakePipeline } from "../../dev/testing/fake-pipeline.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import type { ConvertRequest } from "../../pipeline/convert.ts";

const fake = new FakePipeline();
/** What reached the pipeline, by the link. */
const asked = new Map<string, Omit<ConvertRequest, "url" | "folder">>();
/** What reached the previews. */
const previewed: { readonly tier: Tier; readonly choices: ConversionChoices }[] = [];
const { previews, lists } = fake.lookups;
const lookups: typeof fake.lookups = {
  lists,
  previews: {
    create(link, tier, choices, signal) {
      previewed.push({ tier, choices });
      return previews.create(link, tier, choices, signal);
    },
  },
};

let devices: Record<Tier, TestDevice>;
const server = await ofFile(
  startTestServer({ hasExtractor: false, lookups }, undefined, ({ url, ...request }, ...rest) => {
    const { folder: _folder, ...wanted } = request;
    asked.set(url, wanted);
    return convertWithoutTools({ url, ...request }, ...rest);
  }),
);
beforeAll(async () => {
  const [free, pro] = [await server.newDevice(), await server.newDevice()];
  await server.signIn(pro, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  devices = { free, pro };
});
beforeEach(() => {
  fake.reset();
  previewed.length = 0;
});

let links = 0;
function newLink(): string {
  links += 1;
  return `${server.site.urlOf("rain")}?n=${links}`;
}
const refusalOf = async (answer: Response) => [answer.status, ErrorBody.parse(await answer.json())] as const;
const KINDS = Tier.options.flatMap((tier) => Format.options.map((format) => [tier, format] as const));
const PART = { startSeconds: 62, endSeconds: 80.5 };
const TAGS = { title: "Drops" };

it.each(KINDS.filter(([tier, format]) => !tierConvertsTo(tier, format)))("%s is refused %s", async (tier, format) => {
  const youtubeUrl = newLink();
  const answer = await devices[tier].call("POST", "/api/conversions", { youtubeUrl, format });
  const message = `${format.toUpperCase()} is for Pro only.`;
  const refusal = { code: "pro_required", message, reason: { name: "format_for_pro", format } };
  expect(await refusalOf(answer)).toEqual([402, refusal]);
  expect(asked.has(youtubeUrl)).toBe(false);
});

const GIVEN = KINDS.filter(([tier, format]) => tierConvertsTo(tier, format));
it.each(GIVEN)("%s converts to %s in the quality and within the limits of the plan", async (tier, format) => {
  const youtubeUrl = newLink();
  const answer = await devices[tier].call("POST", "/api/conversions", { youtubeUrl, format });
  const job = await (await devices[tier].live()).untilStatus(Job.parse(await answer.json()).id, "completed");
  expect(asked.get(youtubeUrl)).toEqual({ format, choices: {}, limits: TIERS[tier] });
  expect([job.quality, job.fileKind]).toEqual([qualityFor(tier, format), format === "original" ? "m4a" : undefined]);
  if (job.status !== "completed") throw new Error(job.status);
  // Finishing and announcing are one write, so the two times are milliseconds apart.
  const keptSeconds = (Date.parse(job.expiresAt) - Date.parse(job.updatedAt)) / 1_000;
  expect(Math.round(keptSeconds)).toBe(TIERS[tier].retentionSeconds);
});

it.each<[Tier, Format, ConversionChoices]>([
  ["free", "mp3", { part: PART }],
  ["free", "mp4", { part: PART, tags: TAGS, subtitles: { language: "de" } }],
  ["free", "original", { part: PART, soundLanguage: "es" }],
  ["free", "transcript", { subtitles: { language: "de", as: "txt" }, part: PART }],
  ["free", "transcript", { subtitles: { as: "vtt" } }],
  ["free", "mp3", { sponsored: "mark" }],
  ["free", "mp4", { sponsored: "cut" }],
  ["pro", "mp3", { chapterFiles: true }],
  ["pro", "flac", { chapterFiles: true, sponsored: "mark" }],
  ["pro", "wav", { part: PART, sponsored: "cut" }],
])("%s in %s with %j reaches the pipeline, and stays with the job", async (tier, format, choices) => {
  const youtubeUrl = newLink();
  const answer = await devices[tier].call("POST", "/api/conversions", { youtubeUrl, format, choices });
  const job = await (await devices[tier].live()).untilStatus(Job.parse(await answer.json()).id, "completed");
  expect(asked.get(youtubeUrl)).toEqual({ format, choices, limits: TIERS[tier] });
  expect(job.choices).toEqual(choices);
});

const CHAPTERS_FOR_PRO = "One file per chapter is for Pro only.";
it.each<[Tier, object, number, string, string]>([
  ["free", { choices: { chapterFiles: true } }, 402, "pro_required", CHAPTERS_FOR_PRO],
  ["free", { format: "mp3", quality: "320kbps" }, 402, "pro_required", "MP3 up to 320kbps; your plan up to 128kbps"],
  ["free", { format: "mp4", quality: "1080p" }, 402, "pro_required", "MP4 up to 1080p; your plan up to 480p"],
  ["pro", { format: "flac", quality: "320kbps" }, 400, "bad_request", 'always "lossless"'],
  ["pro", { choices: { chapterFiles: true, part: PART } }, 400, "bad_request", ""],
  ["pro", { choices: { chapterFiles: true, sponsored: "cut" } }, 400, "bad_request", ""],
  ["pro", { format: "transcript", choices: { chapterFiles: true } }, 400, "bad_request", ""],
  ["free", { format: "transcript", choices: { subtitles: { as: "ass" } } }, 400, "bad_request", ""],
  ["free", { format: "transcript", choices: { sponsored: "mark" } }, 400, "bad_request", "Choose another format"],
  ["free", { format: "original", choices: { sponsored: "cut" } }, 400, "bad_request", "nothing can be cut out of it"],
  ["free", { choices: { sponsored: "keep" } }, 400, "bad_request", ""],
  ["free", { choices: { part: { startSeconds: 5, endSeconds: 5 } } }, 400, "bad_request", ""],
  ["free", { format: "ogg" }, 400, "bad_request", ""],
])("%s is refused %j with %i", async (tier, body, status, code, sentence) => {
  const youtubeUrl = newLink();
  const message: unknown = expect.stringContaining(sentence);
  const answer = await devices[tier].call("POST", "/api/conversions", { youtubeUrl, ...body });
  expect(await refusalOf(answer)).toMatchObject([status, { code, message }]);
  expect(asked.has(youtubeUrl)).toBe(false);
});

it("accepts a batch of at most the links of the plan, on Pro only", async () => {
  const send = (tier: Tier, count: number, more: object = {}) =>
    devices[tier].call("POST", "/api/batch-conversions", { urls: Array.from({ length: count }, newLink), ...more });
  expect((await send("free", 2)).status).toBe(402);
  expect((await send("free", 1, { format: "flac" })).status).toBe(402);
  const tooMany = await send("pro", TIERS.pro.batchSize + 1);
  const message = `Pro users can process up to ${TIERS.pro.batchSize} URLs at once`;
  expect(await refusalOf(tooMany)).toMatchObject([400, { message }]);
  expect(await refusalOf(await send("pro", 0))).toMatchObject([422, { reason: { name: "no_valid_link" } }]);
  const ofChapters = { format: "transcript", choices: { chapterFiles: true } };
  expect((await send("pro", 1, ofChapters)).status).toBe(400);
  const answer = await send("pro", TIERS.pro.batchSize);
  expect([answer.status, BatchAnswer.parse(await answer.json()).jobs.length]).toEqual([201, TIERS.pro.batchSize]);
});

it("retries with the choices and limits of the job, in a format that the plan still has", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "turns@example.com" });
  await server.setTier("turns@example.com", "pro");
  const begin = async (format: Format) => {
    const youtubeUrl = `${server.site.urlOf("slow")}?${format}`;
    const body = { youtubeUrl, format, choices: { part: PART } };
    const { id } = Job.parse(await (await device.call("POST", "/api/conversions", body)).json());
    await expect.poll(() => asked.has(youtubeUrl)).toBe(true);
    await device.call("DELETE", `/api/conversions/${id}?while=active`);
    asked.delete(youtubeUrl);
    return { youtubeUrl, retry: () => device.call("POST", `/api/conversions/${id}/retry`) };
  };
  const [mp3, wav] = [await begin("mp3"), await begin("wav")];
  await server.setTier("turns@example.com", "free");
  expect(await refusalOf(await wav.retry())).toMatchObject([402, { code: "pro_required" }]);
  const retried = Job.parse(await (await mp3.retry()).json());
  expect(retried).toMatchObject({ attempt: 2, choices: { part: PART } });
  await expect.poll(() => asked.get(mp3.youtubeUrl)).toMatchObject({ choices: { part: PART }, limits: TIERS.pro });
  await device.call("DELETE", `/api/conversions/${retried.id}`);
});

describe("a preview", () => {
  it.each(Tier.options)("is made for the plan %s and for what is chosen", async (tier) => {
    const youtubeUrl = server.site.urlOf("rain");
    fake.videos.set(youtubeUrl, { title: "Rain", durationSeconds: 100 });
    const choices = { chapterFiles: true, sponsored: "mark", subtitles: { language: "de", as: "vtt" } };
    const answer = await devices[tier].call("POST", "/api/preview", { youtubeUrl, choices });
    expect(answer.status).toBe(200);
    expect(previewed).toEqual([{ tier, choices }]);
  });

  it("is refused for choices that do not go together", async () => {
    const body = { youtubeUrl: server.site.urlOf("rain"), choices: { chapterFiles: true, part: PART } };
    expect((await devices.pro.call("POST", "/api/preview", body)).status).toBe(400);
    expect(previewed).toEqual([]);
  });
});
