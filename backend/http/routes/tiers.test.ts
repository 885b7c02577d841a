/** What each plan gets, against the running server: tier × format × limit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BatchAnswer, Usage } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import type { Job } from "../../../common/job.ts";
import { Format, qualityFor, Tier, TIERS } from "../../../common/tiers.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";

let server: TestServer;
const devices = new Map<Tier, TestDevice>();
beforeAll(async () => {
  server = await startTestServer({ settings: { realtime: { tierPollMs: 50 } } });
  for (const tier of Tier.options) {
    const device = await server.newDevice();
    await server.signIn(device, { email: `${tier}@example.com` });
    await server.setTier(`${tier}@example.com`, tier);
    devices.set(tier, device);
  }
});
afterAll(() => server[Symbol.asyncDispose]());

function deviceOf(tier: Tier): TestDevice {
  const device = devices.get(tier);
  if (!device) throw new Error(`nobody is ${tier}`);
  return device;
}
/** How a conversion ends. */
async function outcome(tier: Tier, url: string, format: Format): Promise<Job> {
  const device = deviceOf(tier);
  const { id } = await device.convert(url, format);
  return (await device.live()).untilStatus(id, "completed", "failed");
}
const KINDS = Tier.options.flatMap((tier) => Format.options.map((format) => [tier, format] as const));

describe.each(KINDS)("%s in %s", (tier, format) => {
  it("gets the plan's quality, and its file is kept for the plan's time", async () => {
    const job = await outcome(tier, server.site.urlOf("rain"), format);
    if (job.status !== "completed") throw new Error(JSON.stringify(job));
    expect(job.quality).toBe(qualityFor(tier, format));
    // Finishing and announcing are one write, so the two times are milliseconds apart.
    const keptSeconds = (Date.parse(job.expiresAt) - Date.parse(job.updatedAt)) / 1_000;
    expect(Math.round(keptSeconds)).toBe(TIERS[tier].retentionSeconds);
    expect(job.fileSize).toBeLessThan(TIERS[tier].maxFileBytes);
  });

  it("is refused a video longer than the plan's, and told what Pro takes", async () => {
    const job = await outcome(tier, server.site.urlOf("three-hours"), format);
    expect(job).toMatchObject({
      status: "failed",
      error: {
        code: "too_long",
        message: expect.stringMatching(
          tier === "free" ? /^Longer than 20 minutes\. Pro takes up to 2 hours\.$/ : /2 hours/,
        ),
      },
    });
  });

  it("may ask for its own quality and for no more", async () => {
    const ask = (quality: string) =>
      deviceOf(tier).call("POST", "/api/conversions", { youtubeUrl: server.site.urlOf("rain"), format, quality });
    expect((await ask(qualityFor(tier, format))).status).toBe(201);
    expect((await ask(qualityFor("pro", format))).status).toBe(tier === "pro" ? 201 : 402);
  });
});

describe.each(Format.options)("in %s", (format) => {
  it("a free visitor who asks for Pro's quality is told both plans'", async () => {
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
  });

  it("a batch is Pro's alone, and of twenty links at most", async () => {
    const send = (tier: Tier, count: number) =>
      deviceOf(tier).call("POST", "/api/batch-conversions", {
        urls: Array.from({ length: count }, (_, n) => `${server.site.urlOf("slow")}?${format}=${n}`),
        format,
      });
    expect((await send("free", 2)).status).toBe(402);
    const tooMany = await send("pro", TIERS.pro.batchSize + 1);
    expect([tooMany.status, ErrorBody.parse(await tooMany.json()).message]).toEqual([
      400,
      "Pro users can process up to 20 URLs at once",
    ]);
    const none = await send("pro", 0);
    expect([none.status, ErrorBody.parse(await none.json())]).toEqual([
      422,
      { code: "invalid_link", message: "Please enter at least one valid YouTube URL" },
    ]);
    const answer = await send("pro", TIERS.pro.batchSize);
    const { batchId, jobs } = BatchAnswer.parse(await answer.json());
    expect([answer.status, jobs.length]).toEqual([201, 20]);
    expect((await deviceOf("pro").call("DELETE", `/api/batch-conversions/${batchId}`)).status).toBe(200);
  });
});

it.each(["mp3", "mp4"] as const)("the free plan's file size holds a 900 MB source off in %s", async (format) => {
  expect(await outcome("free", server.site.urlOf("studio-master"), format)).toMatchObject({
    status: "failed",
    error: { code: "too_large" },
  });
});

describe.each(Format.options)("between the two plans, in %s,", (format) => {
  it("a video of 22 minutes is Pro's alone", async () => {
    expect(await outcome("free", server.site.urlOf("lecture"), format)).toMatchObject({
      status: "failed",
      error: { code: "too_long", message: "Longer than 20 minutes. Pro takes up to 2 hours." },
    });
    const job = await outcome("pro", server.site.urlOf("lecture"), format);
    if (job.status !== "completed") throw new Error(JSON.stringify(job));
    expect(Math.round(job.durationSeconds ?? 0)).toBe(22 * 60);
    // Sound at Pro's bit rate is a file that the free plan could not have; a still picture with it is small.
    expect(job.fileSize).toBeGreaterThan(format === "mp3" ? TIERS.free.maxFileBytes : 0);
    expect(job.fileSize).toBeLessThanOrEqual(TIERS.pro.maxFileBytes);
    // Real sound is made of all 22 minutes, which a busy machine takes its time for.
  });

  it("a source of 300 MB is Pro's alone, and one of 2.1 GB nobody's", async () => {
    const concert = server.site.urlOf("concert");
    expect(await outcome("free", concert, format)).toMatchObject({
      status: "failed",
      error: {
        code: "too_large",
        message:
          "This video is 300 MB at its source, too much to fetch for a file of at most 50 MB. Pro takes up to 500 MB.",
      },
    });
    expect(await outcome("pro", concert, format)).toMatchObject({ status: "completed" });
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

it("a 19-minute video has the most lines that fit the plan's file", async () => {
  const [free, pro] = [
    await outcome("free", server.site.urlOf("lake"), "mp4"),
    await outcome("pro", server.site.urlOf("lake"), "mp4"),
  ];
  if (free.status !== "completed" || pro.status !== "completed") throw new Error(JSON.stringify([free, pro]));
  expect([free.note, pro.note]).toEqual(["240p to fit 50 MB", "480p to fit 500 MB"]);
  expect(free.fileSize).toBeLessThanOrEqual(TIERS.free.maxFileBytes);
  expect([pro.fileSize > free.fileSize, pro.fileSize <= TIERS.pro.maxFileBytes]).toEqual([true, true]);
});

it("the tier at creation holds for the job, whatever its user becomes", async () => {
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

it("what was too long for the free plan can be tried again as Pro", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "upgrades@example.com" });
  const { id } = await device.convert(server.site.urlOf("lecture"), "mp4");
  const live = await device.live();
  await live.untilStatus(id, "failed");
  await server.setTier("upgrades@example.com", "pro");
  expect((await device.call("POST", `/api/conversions/${id}/retry`)).status).toBe(200);
  // Pushes are merged, so a short job may be seen at its end only.
  const retried = await live.until(
    id,
    ({ attempt, status }) => attempt === 2 && status !== "queued" && status !== "pending",
  );
  expect(retried.quality).toBe("1080p");
  expect(retried.status === "failed" && retried.error.code).not.toBe("too_long");
  await device.call("DELETE", `/api/conversions/${id}`);
});

it("usage is pushed as it grows, and asked for says the same", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const pushed = new Promise<Usage>((resolve) => live.socket.once("usage", resolve));
  const { id } = await device.convert(server.site.urlOf("rain"));
  const job = await live.untilStatus(id, "completed");
  const usage = Usage.strict().parse(await pushed);
  expect(usage).toMatchObject({ totalConversions: 1, totalDataUsed: job.status === "completed" ? job.fileSize : 0 });
  expect(await (await device.call("GET", "/api/usage")).json()).toEqual(usage);
});

it("the push of one step forward is small", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const { id } = await device.convert(`${server.site.urlOf("held")}?small`);
  const job = await live.until(id, (version) => version.status === "processing" && version.thumbnailUrl !== undefined);
  const bytes = Buffer.byteLength(`42["job",${JSON.stringify(job)}]`);
  process.stdout.write(`one progress event: ${bytes} bytes\n`);
  expect(bytes).toBeLessThan(1_000);
  await device.call("DELETE", `/api/conversions/${id}`);
});

it("a Pro visitor arriving behind a hundred free ones is the next to be picked up", async () => {
  await using busy = await startTestServer({ WORKER_CONCURRENCY: "1" });
  const pro = await busy.newDevice();
  await busy.signIn(pro, { email: "late@example.com" });
  await busy.setTier("late@example.com", "pro");
  const free = await busy.newDevice();
  const freeLive = await free.live();
  // Takes the one place there is, until it is called off.
  const first = await free.convert(busy.site.urlOf("held"));
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
