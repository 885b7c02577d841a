/** What browsers hear of a video site that fails for most visitors. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRedis, type Redis } from "../dev/stand-ins/redis.ts";
import { startTestServer, type TestDevice, type TestServer } from "../dev/testing/test-server.ts";
import { openYouTubeSite, type TestYouTubeSite } from "../dev/testing/test-youtube.ts";
import { SiteHealth, type SiteOutcome } from "../domain/sites/site-health.ts";
import { SiteReporter } from "../domain/sites/site-reports.ts";
import { openRedisBus } from "../redis/redis-bus.ts";
import { openRedis } from "../redis/redis-link.ts";

const REFUSING = { failing: [{ site: "youtube", reason: "refusing" }] };
const NONE = { failing: [] };

async function poll(device: TestDevice): Promise<unknown> {
  return (await device.call("GET", "/api/site-status")).json();
}

/** A worker that reports over Redis what the test says about its extractions. */
async function openWorker(redisUrl: string) {
  const link = await openRedis(redisUrl, {
    prefix: "tapedeck",
    log: { info: () => undefined, warn: () => undefined },
    commandTimeoutMs: 60_000,
  });
  const bus = await openRedisBus(link, (error) => {
    throw error;
  });
  const health = new SiteHealth();
  const reporter = new SiteReporter(bus, "youtube", health);
  return {
    record(outcome: SiteOutcome, isRefusedEverywhere = false) {
      health.record("link", outcome, isRefusedEverywhere);
      reporter.update();
    },
    async [Symbol.asyncDispose]() {
      reporter[Symbol.dispose]();
      await bus.close();
      await link.close();
    },
  };
}

describe("one process without Redis", () => {
  let youtube: TestYouTubeSite;
  let server: TestServer;
  beforeAll(async () => {
    youtube = await openYouTubeSite();
    const exit = await youtube.site.openExit("one");
    exit.treatment = "bot_check";
    server = await startTestServer({
      YOUTUBE_EXITS: exit.proxyUrl,
      caFile: youtube.caFile,
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await youtube[Symbol.asyncDispose]();
  });

  it("tells every browser, also those without a job, that YouTube refuses the only exit", async () => {
    const visitor = await server.newDevice();
    const live = await visitor.live();
    expect([live.siteStatuses, await poll(visitor)]).toEqual([[NONE], NONE]);
    const other = await server.newDevice();
    await other.convert("https://www.youtube.com/watch?v=plain-video");
    await expect.poll(() => live.siteStatuses).toEqual([NONE, REFUSING]);
    expect(await poll(visitor)).toEqual(REFUSING);
    expect((await other.live()).siteStatuses).toEqual([REFUSING]);
  });
});

describe("several processes", () => {
  let redis: Redis;
  let one: TestServer;
  beforeAll(async () => {
    redis = await startRedis();
    one = await startTestServer({ ROLE: "web", REDIS_URL: redis.url, hasExtractor: false });
  });
  afterAll(async () => {
    await one[Symbol.asyncDispose]();
    await redis.stop();
  });

  it("tells the browsers of all of them, also of one that starts later, until it works again", async () => {
    await using worker = await openWorker(redis.url);
    const device = await one.newDevice();
    const live = await device.live();
    worker.record("refusing", true);
    await expect.poll(() => live.siteStatuses).toEqual([NONE, REFUSING]);

    const later = { ROLE: "web", REDIS_URL: redis.url, PUBLIC_URL: one.origin, hasExtractor: false };
    await using two = await startTestServer(later, one);
    const another = await two.newDevice();
    await expect.poll(() => poll(another)).toEqual(REFUSING);
    const liveAtTwo = await another.live();

    worker.record("works");
    await expect.poll(() => [live.siteStatuses.at(-1), liveAtTwo.siteStatuses]).toEqual([NONE, [REFUSING, NONE]]);
    expect(await poll(device)).toEqual(NONE);
  });

  it("tells a browser that was away what it missed", async () => {
    await using worker = await openWorker(redis.url);
    worker.record("refusing", true);
    const device = await one.newDevice();
    await expect.poll(() => poll(device)).toEqual(REFUSING);
    const { socket, siteStatuses } = await device.live();
    const back = new Promise<boolean>((resolve) => socket.io.once("reconnect", () => resolve(socket.recovered)));
    socket.io.engine.close();
    worker.record("works");
    await back;
    await expect.poll(() => siteStatuses.at(-1)).toEqual(NONE);
  });
});
