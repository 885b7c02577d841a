/** The formats beside MP3 and MP4, against the running server. */
import { beforeAll, describe, expect, it } from "vitest";
import { BatchAnswer, Preview } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import type { Job } from "../../../common/job.ts";
import { TIERS, type Format } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { namesInZip } from "../../dev/testing/unzip.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";

const server = await ofFile(startTestServer({ settings: { realtime: { tierPollMs: 50 } } }));
const free = await server.newDevice();
const pro = await server.newDevice();
beforeAll(async () => {
  await server.signIn(pro, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
});

const FOR_PRO = (format: "flac" | "wav") => ({
  code: "pro_required",
  message: `${format.toUpperCase()} is for Pro only.`,
  reason: { name: "format_for_pro", format },
});

async function completed(device: TestDevice, id: string): Promise<Extract<Job, { status: "completed" }>> {
  const job = await (await device.live()).untilStatus(id, "completed", "failed");
  if (job.status !== "completed") throw new Error(JSON.stringify(job));
  return job;
}

it.each<[Format, PageName, string, string, string | undefined]>([
  ["original", "cello", "Cello in an empty church (sound only).m4a", "audio/mp4", "m4a"],
  ["original", "lanterns", "Paper lanterns over the harbour.opus", "audio/ogg", "opus"],
  ["flac", "cello", "Cello in an empty church (sound only).flac", "audio/flac", undefined],
  ["wav", "cello", "Cello in an empty church (sound only).wav", "audio/wav", undefined],
])("a file in %s of %s is downloaded as %s of the type %s", async (format, page, name, type, fileKind) => {
  const { id } = await pro.convert(server.site.urlOf(page), format);
  const job = await completed(pro, id);
  expect(job.fileKind).toBe(fileKind);
  const answer = await pro.call("GET", `/api/conversions/${id}/file`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  expect(answer.headers.get("content-disposition")).toContain(`"${name}"`);
  expect((await answer.arrayBuffer()).byteLength).toBe(job.fileSize);
});

it("tells a second job what the file is that was made for the first one", async () => {
  const link = `${server.site.urlOf("lanterns")}?shared`;
  const first = await completed(pro, (await pro.convert(link, "original")).id);
  const again = await completed(pro, (await pro.convert(link, "original")).id);
  expect([first.fileKind, again.fileKind]).toEqual(["opus", "opus"]);
});

it("packs a batch whose original sounds are of different kinds under their own names", async () => {
  const urls = (["cello", "lanterns"] as const).map((page) => `${server.site.urlOf(page)}?batch`);
  const answer = await pro.call("POST", "/api/batch-conversions", { urls, format: "original" });
  const { batchId, jobs } = BatchAnswer.parse(await answer.json());
  for (const { id } of jobs) await completed(pro, id);
  const zip = await pro.call("GET", `/api/batch-conversions/${batchId}/zip`);
  expect(await namesInZip(zip, server.config.dataDir)).toEqual([
    "Cello in an empty church (sound only).m4a",
    "Paper lanterns over the harbour.opus",
  ]);
});

describe.each(["flac", "wav"] as const)("%s", (format) => {
  it("is refused to a free visitor with the plan that has it", async () => {
    const answer = await free.call("POST", "/api/conversions", { youtubeUrl: server.site.urlOf("cello"), format });
    expect([answer.status, ErrorBody.parse(await answer.json())]).toEqual([402, FOR_PRO(format)]);
    const batch = { urls: [server.site.urlOf("cello")], format };
    expect((await free.call("POST", "/api/batch-conversions", batch)).status).toBe(402);
  });

  it("is refused to a retry after a downgrade", async () => {
    const device = await server.newDevice();
    const email = `${format}@example.com`;
    await server.signIn(device, { email });
    await server.setTier(email, "pro");
    const { id } = await device.convert(`${server.site.urlOf("slow")}?${format}`, format);
    await device.call("DELETE", `/api/conversions/${id}?while=active`);
    await server.setTier(email, "free");
    const answer = await device.call("POST", `/api/conversions/${id}/retry`);
    expect([answer.status, ErrorBody.parse(await answer.json())]).toEqual([402, FOR_PRO(format)]);
  });
});

describe("the preview", () => {
  const previewOf = async (device: TestDevice, page: PageName) =>
    Preview.parse(await (await device.call("POST", "/api/preview", { youtubeUrl: server.site.urlOf(page) })).json());

  it("has the sizes of all formats for Pro", async () => {
    const { moreEstimates, durationSeconds } = await previewOf(pro, "cello");
    const wavBytes = Math.ceil((durationSeconds ?? 0) * 44_100) * 4;
    expect(moreEstimates).toMatchObject({
      original: { quality: "original", fits: true, note: null },
      flac: { quality: "lossless", fits: true, sizeBytes: Math.round(wavBytes * 0.6) },
      wav: { quality: "lossless", fits: true, sizeBytes: wavBytes },
    });
  });

  it("says to a free visitor which formats need Pro", async () => {
    const { moreEstimates } = await previewOf(free, "cello");
    expect(moreEstimates).toMatchObject({
      original: { fits: true },
      flac: { fits: false, note: "FLAC is for Pro only.", error: FOR_PRO("flac") },
      wav: { fits: false, note: "WAV is for Pro only.", error: FOR_PRO("wav") },
    });
  });

  it("says of a video that is too long for any plan only that", async () => {
    for (const [device, tier] of [
      [free, "free"],
      [pro, "pro"],
    ] as const) {
      const { moreEstimates } = await previewOf(device, "three-hours");
      for (const format of ["original", "flac", "wav"] as const) {
        const { maxDurationSeconds } = TIERS[TIERS[tier].formats.includes(format) ? tier : "pro"];
        expect(moreEstimates?.[format]).toMatchObject({
          fits: false,
          error: { code: "too_long", reason: { name: "longer_than_plan", maxSeconds: maxDurationSeconds } },
        });
      }
    }
  });
});
