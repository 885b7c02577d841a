/** The podcast feed of an account with a client's own reader, with many apps, and with several processes. */
import mongoose, { type Connection } from "mongoose";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { CreatedFeed } from "../../../common/feed-calls.ts";
import { Job } from "../../../common/job.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { PODCASTPARSER, preparePythonProgram } from "../../dev/setup/python-programs.ts";
import { runTool } from "../../dev/setup/run-tool.ts";
import { startRedis } from "../../dev/stand-ins/redis.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { openDevice, startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

const EMAIL = "listener@example.com";
const APPS = 1_000;
const APPS_AT_ONCE = 50;

/** Reads a feed as gPodder does, and asks for each file and picture in it. */
const READ_FEED = `
import json, sys, urllib.request, podcastparser
feed = podcastparser.parse(sys.argv[1], urllib.request.urlopen(sys.argv[1]))
def size(url):
    return len(urllib.request.urlopen(url).read())
for episode in feed["episodes"]:
    episode["sizes"] = [size(enclosure["url"]) for enclosure in episode["enclosures"]]
    episode["picture_size"] = size(episode["episode_art_url"])
print(json.dumps(feed))
`;
const ReadFeed = z.object({
  title: z.string(),
  language: z.string(),
  episodes: z.array(
    z.object({
      title: z.string(),
      guid: z.string(),
      link: z.string(),
      total_time: z.number(),
      published: z.number(),
      enclosures: z.array(z.object({ url: z.string(), mime_type: z.string(), file_size: z.number() })),
      sizes: z.array(z.number()),
      picture_size: z.number(),
    }),
  ),
});

async function readAsClient(url: string): Promise<z.infer<typeof ReadFeed>> {
  const python = await preparePythonProgram(PODCASTPARSER, { dataDir: repositoryDataDir(), report: () => undefined });
  return ReadFeed.parse(JSON.parse(await runTool(python, ["-c", READ_FEED, url])));
}

const calls: string[] = [];
afterEach(() => void mongoose.set("debug", false));

/** Two processes that serve, and one that converts. */
const redis = await ofFile(startRedis());
const cluster = { hasExtractor: false, REDIS_URL: redis.url, DRAIN_MS: "0" };
const worker = await ofFile(startTestServer({ ...cluster, ROLE: "worker" }, undefined, convertWithoutTools));
const one = await ofFile(startTestServer({ ...cluster, ROLE: "web" }, worker));
const two = await ofFile(startTestServer({ ...cluster, ROLE: "web", PUBLIC_URL: one.origin }, worker));

let connection: Connection;
let device: TestDevice;
beforeAll(async () => {
  connection = await mongoose.createConnection(worker.mongodbUri).asPromise();
  device = await openDevice(one.origin);
  await one.signIn(device, { email: EMAIL });
});
afterAll(async () => {
  device.close();
  await connection.close();
});

async function convert(page: "rain" | "lanterns", format: "mp3" | "original" = "mp3"): Promise<string> {
  const { id } = await device.convert(worker.site.urlOf(page), format);
  await (await device.live()).untilStatus(id, "completed");
  return id;
}

/** @returns path and query */
async function makeFeed(): Promise<string> {
  return CreatedFeed.parse(await (await device.call("POST", "/api/feed", {})).json()).url;
}

const ask = (origin: string, url: string, tag = "") => fetch(origin + url, { headers: { "if-none-match": tag } });
const tagOf = async (origin: string, url: string) => (await ask(origin, url)).headers.get("etag") ?? "";

it("is read by a podcast client, whatever a site calls its videos", async () => {
  const id = await convert("rain");
  await convert("lanterns", "original");
  const title = `</title>]]> <![CDATA[ &amp; &lt; "quoted' \u0000\u0008\u001b\ufffe \u202e 🌈 %s`;
  await connection.collection("jobs").updateOne({ _id: id as never }, { $set: { title } });
  const feed = await readAsClient(one.origin + (await makeFeed()));
  expect(feed).toMatchObject({ title: "My tapes – Tapedeck", language: "en" });
  expect(feed.episodes.map(({ enclosures, sizes }) => [enclosures, sizes])).toMatchObject([
    [[{ mime_type: "audio/mp4", file_size: 6 }], [6]],
    [[{ mime_type: "audio/mpeg", file_size: 6 }], [6]],
  ]);
  const [, episode] = feed.episodes;
  expect(episode).toMatchObject({ guid: id, link: worker.site.urlOf("rain"), total_time: 1, picture_size: 9 });
  expect(episode?.title).toBe(`</title>]]> <![CDATA[ &amp; &lt; "quoted' \u202e 🌈 %s`);
  expect(episode?.published).toBeGreaterThan(Date.now() / 1_000 - 600);
});

it("names the chapters of a real file, of its part, and of a job that takes the file over", async () => {
  await using real = await startTestServer();
  const user = await real.newDevice();
  await real.signIn(user, { email: EMAIL });
  const page = real.site.urlOf("chapters");
  const wanted = [
    { youtubeUrl: page, format: "mp3" },
    { youtubeUrl: page, format: "mp3" },
    { youtubeUrl: page, format: "mp3", choices: { part: { startSeconds: 10, endSeconds: 20 } } },
    { youtubeUrl: page, format: "mp4" },
  ];
  for (const body of wanted) {
    const { id } = Job.parse(await (await user.call("POST", "/api/conversions", body)).json());
    await (await user.live()).untilStatus(id, "completed");
  }
  const { url } = CreatedFeed.parse(await (await user.call("POST", "/api/feed", {})).json());
  // podcastparser knows this namespace by another of its names only.
  const addresses = (await (await fetch(real.origin + url)).text()).matchAll(/<podcast:chapters url="([^"]+)"/g);
  const chapters = await Promise.all(
    Array.from(addresses, async ([, address = ""]) => {
      const answer = await fetch(address.replaceAll("&#38;", "&"));
      expect(answer.headers.get("content-type")).toBe("application/json+chapters");
      return answer.json();
    }),
  );
  const titles = ["First drops", "On the tin roof", 'The gutter; overflowing = "loud" #3', "Nach dem Regen 🌈"];
  const whole = [0, 6.5, 15, 22].map((startTime, index) => ({ startTime, title: titles[index] }));
  const ofPart = [0, 5].map((startTime, index) => ({ startTime, title: titles[index + 1] }));
  expect(chapters).toEqual([ofPart, whole, whole].map((list) => ({ version: "1.2.0", chapters: list })));
});

it("answers a thousand apps that have it with 304, and asks the database for none of them", async () => {
  const url = await makeFeed();
  const tag = await tagOf(one.origin, url);
  // Each reading of a feed begins with such a call; the servers make others at any time.
  mongoose.set("debug", (collection: string, method: string) => {
    if (collection === "feeds") calls.push(method);
  });
  expect((await ask(one.origin, url, '"another"')).status).toBe(200);
  expect(calls).toEqual(["findOne"]);
  const statuses: number[] = [];
  for (let sent = 0; sent < APPS; sent += APPS_AT_ONCE) {
    const polls = await Promise.all(Array.from({ length: APPS_AT_ONCE }, () => ask(one.origin, url, tag)));
    statuses.push(...polls.map(({ status }) => status));
  }
  expect(statuses).toEqual(Array.from({ length: APPS }, () => 304));
  expect(calls).toEqual(["findOne"]);
});

it("is the same in each process, which all hear of a new tape and of a new address", async () => {
  const url = await makeFeed();
  const tag = await tagOf(one.origin, url);
  const servers = [one, two];
  for (const { origin } of servers) expect((await ask(origin, url, tag)).status).toBe(304);
  const id = await convert("rain");
  for (const { origin } of servers)
    await expect
      .poll(async () => (await ask(origin, url, tag)).text())
      .toContain(`<guid isPermaLink="false">${id}</guid>`);
  expect(await tagOf(two.origin, url)).toBe(await tagOf(one.origin, url));
  await makeFeed();
  for (const { origin } of servers) await expect.poll(async () => (await ask(origin, url)).status).toBe(404);
});
