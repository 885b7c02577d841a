/** The limits of each tier for each format, against the running server. */
import { beforeAll, describe, expect, it } from "vitest";
import { BatchAnswer, Usage } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import type { Job } from "../../../common/job.ts";
import { Format, qualityFor, Tier, TIERS } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { tooLong } from "../../pipeline/errors/wording.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

const devices = new Map<Tier, TestDevice>();
const server = await ofFile(startTestServer({ settings: { realtime: { tierPollMs: 50 } } }));
beforeAll(async () => {
  for (const tier of Tier.options) {
    const device = await server.newDevice();
    await server.signIn(device, { email: `${tier}@example.com` });
    await server.setTier(`${tier}@example.com`, tier);
    devices.set(tier, device);
  }
});

function deviceOf(tier: Tier): TestDevice {
  const device = devices.get(tier);
  if (!device) throw new Error(`no device with tier ${tier}`);
  return device;
}
/** Converts a link. @returns the completed or failed job */
async function outcome(tier: Tier, url: string, format: Format): Promise<Job> {
  const device = deviceOf(tier);
  const { id } = await device.convert(url, format);
  return (await device.live()).untilStatus(id, "completed", "failed");
}
/** Short videos that both plans accept. That for MP4 need not be encoded: it is offered with the lines of both. */
const SHORT: Partial<Record<Format, "tide" | "subtitles">> = { mp4: "tide", transcript: "subtitles" };
const shortLink = (format: Format) => server.site.urlOf(SHORT[format] ?? "rain");
/** A transcript needs neither the source nor its size; nothing of the media is fetched. */
const FREE_MEDIA = TIERS.free.formats.filter((format) => format !== "transcript");
const KINDS = Tier.options.flatMap((tier) => TIERS[tier].formats.map((format) => [tier, format] as const));

describe.each(KINDS)("%s in %s", (tier, format) => {
  it("has the quality of the plan, and its file is kept for the time of the plan", async () => {
    const job = await outcome(tier, shortLink(format), format);
    if (job.status !== "completed") throw new Error(JSON.stringify(job));
    expect(job.quality).toBe(qualityFor(tier, format));
    // Finishing and announcing are one write, so the two times are milliseconds apart.
    const keptSeconds = (Date.parse(job.expiresAt) - Date.parse(job.updatedAt)) / 1_000;
    expect(Math.round(keptSeconds)).toBe(TIERS[tier].retentionSeconds);
    expect(job.fileSize).toBeLessThan(TIERS[tier].maxFileBytes);
  });

  it("refuses a video longer than the plan allows, and names the limit of Pro", async () => {
    const job = await outcome(tier, server.site.urlOf("three-hours"), format);
    expect(job).toMatchObject({
      status: "failed",
      error: {
        code: "too_long",
        message: tooLong(TIERS[tier]).message,
        reason: {
          name: "longer_than_plan",
          maxSeconds: TIERS[tier].maxDurationSeconds,
          proMaxSeconds: tier === "free" ? TIERS.pro.maxDurationSeconds : null,
        },
      },
    });
  });

  it("accepts the quality of the plan and no higher one", async () => {
    const ask = (quality: string) =>
      deviceOf(tier).call("POST", "/api/conversions", { youtubeUrl: shortLink(format), format, quality });
    expect((await ask(qualityFor(tier, format))).status).toBe(201);
    const isProBetter = qualityFor(tier, format) !== qualityFor("pro", format);
    expect((await ask(qualityFor("pro", format))).status).toBe(isProBetter ? 402 : 201);
  });
});

it.each(["mp3", "mp4"] as const)(
  "refuses the quality of Pro in %s to a free visitor with the qualities of both plans",
  async (format) => {
    const answer = await deviceOf("free").call("POST", "/api/conversions", {
      youtubeUrl: server.site.urlOf("rain"),
      format,
      quality: qualityFor("pro", format),
    });
    expect(ErrorBody.parse(await answer.json())).toEqual({
      code: "pro_required",
      message: [
        `Pro converts ${format.toUpperCase()} up to ${qualityFor("pro", format)};`,
        `your plan up to ${qualityFor("free", format)}.`,
      ].join(" "),
    });
  },
);

describe.each(Format.options)("in %s", (format) => {
  it("accepts a batch of at most the links of the plan, on Pro only", async () => {
    const send = (tier: Tier, count: number) =>
      deviceOf(tier).call("POST", "/api/batch-conversions", {
        urls: Array.from({ length: count }, (_, n) => `${server.site.urlOf("slow")}?${format}=${n}`),
        format,
      });
    expect((await send("free", 2)).status).toBe(402);
    const tooMany = await send("pro", TIERS.pro.batchSize + 1);
    expect([tooMany.status, ErrorBody.parse(await tooMany.json()).message]).toEqual([
      400,
      `Pro users can process up to ${TIERS.pro.batchSize} URLs at once`,
    ]);
    const none = await send("pro", 0);
    expect([none.status, ErrorBody.parse(await none.json())]).toEqual([
      422,
      {
        code: "invalid_link",
        message: "Please enter at least one valid YouTube URL",
        reason: { name: "no_valid_link" },
      },
    ]);
    const answer = await send("pro", TIERS.pro.batchSize);
    const { batchId, jobs } = BatchAnswer.parse(await answer.json());
    expect([answer.status, jobs.length]).toEqual([201, TIERS.pro.batchSize]);
    expect((await deviceOf("pro").call("DELETE", `/api/batch-conversions/${batchId}`)).status).toBe(200);
  });
});

it.each(FREE_MEDIA)("refuses a source of 900 MB on the free plan in %s", async (format) => {
  expect(await outcome("free", server.site.urlOf("studio-master"), format)).toMatchObject({
    status: "failed",
    error: { code: "too_large" },
  });
});

describe.each(FREE_MEDIA)("between the limits of the two plans, in %s,", (format) => {
  it("converts a video of 22 minutes on Pro only", async () => {
    // Both are copied: encoding 22 minutes would take longer than all other tests of this file.
    const link = server.site.urlOf(format === "mp3" ? "lecture" : "filmed-lecture");
    expect(await outcome("free", link, format)).toMatchObject({
      status: "failed",
      error: { code: "too_long", message: tooLong(TIERS.free).message },
    });
    const job = await outcome("pro", link, format);
    if (job.status !== "completed") throw new Error(JSON.stringify(job));
    expect(Math.round(job.durationSeconds ?? 0)).toBe(22 * 60);
    // At the bit rate of Pro the MP3 is larger than the free plan allows; the picture of the MP4 has few lines.
    expect(job.fileSize).toBeGreaterThan(format === "mp3" ? TIERS.free.maxFileBytes : 0);
    expect(job.fileSize).toBeLessThanOrEqual(TIERS.pro.maxFileBytes);
  });

  it("converts a source of 210 MB on Pro only, and refuses one of 2.1 GB on both plans", async () => {
    const concert = server.site.urlOf("concert");
    expect(await outcome("free", concert, format)).toMatchObject({
      status: "failed",
      error: {
        code: "too_large",
        message:
          "This video is 210 MB at its source, too much to fetch for a file of at most 50 MB. Pro takes up to 500 MB.",
      },
    });
    const job = await outcome("pro", concert, format);
    if (job.status !== "completed") throw new Error(JSON.stringify(job));
    for (const tier of Tier.options)
      expect(await outcome(tier, server.site.urlOf("archive"), format)).toMatchObject({
        status: "failed",
        error: {
          code: "too_large",
          message: expect.stringMatching(
            /^This video is 2100 MB at its source, too much to fetch for a file of at most \d+ MB\.$/,
          ),
        },
      });
  });
});

it("gives a video of 19 minutes as many lines as fit the file size of the plan", async () => {
  const free = await outcome("free", server.site.urlOf("lake"), "mp4");
  const pro = await outcome("pro", server.site.urlOf("lake"), "mp4");
  if (free.status !== "completed" || pro.status !== "completed") throw new Error(JSON.stringify([free, pro]));
  expect([free.note, pro.note]).toEqual(["240p to fit 50 MB", "480p to fit 500 MB"]);
  expect([free.shortfall, pro.shortfall]).toEqual([
    { reason: "file_size", heightLines: 240, maxBytes: TIERS.free.maxFileBytes },
    { reason: "file_size", heightLines: 480, maxBytes: TIERS.pro.maxFileBytes },
  ]);
  expect(free.fileSize).toBeLessThanOrEqual(TIERS.free.maxFileBytes);
  expect([pro.fileSize > free.fileSize, pro.fileSize <= TIERS.pro.maxFileBytes]).toEqual([true, true]);
});

it("keeps the tier at creation for a job when the tier of its user changes", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "turns@example.com" });
  await server.setTier("turns@example.com", "pro");
  const made = await device.convert(server.site.urlOf("held"));
  await server.setTier("turns@example.com", "free");
  server.site.release(server.site.urlOf("held"));
  const job = await (await device.live()).untilStatus(made.id, "completed");
  if (job.status !== "completed") throw new Error(job.status);
  expect(job.quality).toBe("320kbps");
  expect(Math.round((Date.parse(job.expiresAt) - Date.parse(job.updatedAt)) / 1_000)).toBe(TIERS.pro.retentionSeconds);
  expect((await device.convert(server.site.urlOf("cello"))).quality).toBe("128kbps");
});

it("retries a job that was too long for the free plan with the limits of Pro", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "upgrades@example.com" });
  const { id } = await device.convert(server.site.urlOf("filmed-lecture"), "mp4");
  const live = await device.live();
  await live.untilStatus(id, "failed");
  await server.setTier("upgrades@example.com", "pro");
  expect((await device.call("POST", `/api/conversions/${id}/retry`)).status).toBe(200);
  // Pushes are merged, so for a short job only the end may be pushed.
  const retried = await live.until(
    id,
    ({ attempt, status }) => attempt === 2 && status !== "queued" && status !== "pending",
  );
  expect(retried.quality).toBe("1080p");
  expect(retried.status === "failed" && retried.error.code).not.toBe("too_long");
  await device.call("DELETE", `/api/conversions/${id}`);
});

it("pushes the usage when it changes, and answers a call with the same", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const pushed = new Promise<Usage>((resolve) => live.socket.once("usage", resolve));
  const { id } = await device.convert(server.site.urlOf("rain"));
  const job = await live.untilStatus(id, "completed");
  const usage = Usage.strict().parse(await pushed);
  expect(usage).toMatchObject({ totalConversions: 1, totalDataUsed: job.status === "completed" ? job.fileSize : 0 });
  expect(await (await device.call("GET", "/api/usage")).json()).toEqual(usage);
});

it("sends a progress event of less than 1,000 bytes", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const { id } = await device.convert(`${server.site.urlOf("held")}?small`);
  const job = await live.until(id, (version) => version.status === "processing" && version.thumbnailUrl !== undefined);
  const bytes = Buffer.byteLength(`42["job",${JSON.stringify(job)}]`);
  process.stdout.write(`one progress event: ${bytes} bytes\n`);
  expect(bytes).toBeLessThan(1_000);
  await device.call("DELETE", `/api/conversions/${id}`);
});

it("runs a Pro job before a hundred waiting free jobs", async () => {
  await using busy = await startTestServer(
    { WORKER_CONCURRENCY: "1", hasExtractor: false },
    undefined,
    convertWithoutTools,
  );
  const pro = await busy.newDevice();
  await busy.signIn(pro, { email: "late@example.com" });
  await busy.setTier("late@example.com", "pro");
  const free = await busy.newDevice();
  const freeLive = await free.live();
  // Occupies the only slot of the worker until it is canceled.
  const first = await free.convert(busy.site.urlOf("slow"));
  await freeLive.untilStatus(first.id, "processing");
  await Promise.all(Array.from({ length: 100 }, (_, n) => free.convert(`${busy.site.urlOf("cello")}?n=${n}`)));
  const { id } = await pro.convert(`${busy.site.urlOf("cello")}?pro`);
  const live = await pro.live();
  await free.call("DELETE", `/api/conversions/${first.id}`);
  await live.untilStatus(id, "pending", "processing", "completed");
  const ahead = freeLive.pushes.filter((job) => job.id !== first.id && job.status !== "queued").length;
  process.stdout.write(`free jobs picked up before the Pro one: ${ahead} of 100\n`);
  expect(ahead).toBe(0);
});
