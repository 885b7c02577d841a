/** A client of YouTube that ends and comes back, with the real yt-dlp and the YouTube-shaped site. */
import { afterAll, beforeEach, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import { openTestYouTube } from "../dev/testing/test-youtube.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import { parseExit } from "../pipeline/exits/exit.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import { Canaries } from "./canary.ts";
import { ClientWatch } from "./client-watch.ts";

const CANARY = linkOf("plain-video");

const resources = new AsyncDisposableStack();
const youtube = await ofFile(openTestYouTube());
const { proxyUrl } = await youtube.site.openExit("one");
afterAll(() => resources.disposeAsync());
beforeEach(() => youtube.site.reset());

function linkOf(videoId: VideoId): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}

function open(): { readonly watch: ClientWatch; readonly pipeline: Pipeline; readonly lines: string[] } {
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  const watch = resources.use(new ClientWatch({ log: { info: note, warn: note } }));
  const exits = new ExitPool({ exits: [parseExit(proxyUrl)], extractionsPerHour: Infinity });
  const access = { exits, clientOrder: ["visionos", "default"], clients: watch };
  const pipeline: Pipeline = { ...youtube.pipeline, youtube: access };
  const canaries = new Canaries({ pipeline, links: [CANARY] });
  watch.tryClient = (client, signal) => canaries.tryClient(client, youtube.folder, signal);
  return { watch, pipeline, lines };
}

/** @returns the clients that were asked */
async function askedFor(pipeline: Pipeline, videoId: VideoId): Promise<readonly string[]> {
  youtube.site.requests.length = 0;
  await extract({ pipeline, signal: new AbortController().signal }, linkOf(videoId), youtube.folder);
  return youtube.site.requests.filter(({ kind }) => kind === "player").map(({ client = "" }) => client);
}

/** As if others had been read so before. */
function refuseMost(watch: ClientWatch): void {
  for (let index = 0; index < 19; index += 1) watch.note(`before ${index}`, "default", ["visionos"]);
}

it("asks a client that answers 400 to all last, and first again when it has recovered", async () => {
  const { watch, pipeline, lines } = open();
  refuseMost(watch);
  youtube.site.deadClients.add("VISIONOS");
  expect((await askedFor(pipeline, "plain-video"))[0]).toBe("VISIONOS");
  await watch.settled();
  expect(lines).toEqual([expect.stringContaining("visionos is asked last from now on")]);
  expect(await askedFor(pipeline, "plain-video")).not.toContain("VISIONOS");

  await watch.retry();
  expect(watch.failing).toEqual(new Set(["visionos"]));
  youtube.site.deadClients.clear();
  await watch.retry();
  expect(lines.slice(1)).toEqual([expect.stringContaining("visionos is asked in its place again")]);
  expect(await askedFor(pipeline, "plain-video")).toEqual(["VISIONOS"]);
});

it("keeps the place of a client that is refused many videos and works", async () => {
  const { watch, pipeline, lines } = open();
  refuseMost(watch);
  await askedFor(pipeline, "kids-no-emb");
  await watch.settled();
  expect(youtube.site.requests.some(({ videoId }) => videoId === "plain-video")).toBe(true);
  expect([...watch.failing]).toEqual([]);
  expect(lines).toEqual([]);
});

it("says nothing of a client when no other reads the canary either", async () => {
  const { pipeline } = open();
  const canaries = new Canaries({ pipeline, links: [linkOf("captcha-abc"), "https://example.com/page"] });
  const { signal } = new AbortController();
  expect(await canaries.tryClient("visionos", youtube.folder, signal)).toBe("undecided");
});
