/** Formats of YouTube that need a token, with the real plugin and a stand-in for the server of the token provider. */
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { startTokenProvider, type TokenProviderStandIn } from "../dev/stand-ins/token-provider.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import type { YouTubeSite } from "../dev/stand-ins/youtube-site/youtube-site.ts";
import { openTestTokenPlugin } from "../dev/testing/test-token-plugin.ts";
import { openTestYouTube } from "../dev/testing/test-youtube.ts";
import { convert } from "./convert.ts";
import { ExitPool } from "./exits/exit-pool.ts";
import { parseExit } from "./exits/exit.ts";
import type { Pipeline } from "./pipeline.ts";
import { AccountCookies } from "./probe/account-cookies.ts";
import { extract } from "./probe/extraction.ts";
import type { VideoInfo } from "./probe/info.ts";
import { withTokenProvider, type YouTubeAccess } from "./probe/youtube.ts";

const resources = new AsyncDisposableStack();
let site: YouTubeSite;
let folder: string;
let pipeline: Pipeline;
/** Without the provider. */
let access: YouTubeAccess;
let provider: TokenProviderStandIn;
let notices: string[];

beforeAll(async () => {
  const youtube = resources.use(await openTestYouTube());
  ({ site, folder } = youtube);
  const authorities = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...authorities, site.certificate]);
  resources.defer(() => tls.setDefaultCACertificates(authorities));
  const plugin = await openTestTokenPlugin();
  provider = resources.use(await startTokenProvider({ version: plugin.version, certificate: site.certificate }));
  const exit = await site.openExit("one");
  pipeline = { ...youtube.pipeline, tools: { ...youtube.pipeline.tools, pluginFolders: [plugin.folder] } };
  access = {
    exits: new ExitPool({ exits: [parseExit(exit.proxyUrl)], extractionsPerHour: Infinity }),
    clientOrder: ["visionos", "default"],
    playerFolder: path.join(folder, "players"),
    onNotice: (notice) => notices.push(notice),
  };
});
afterAll(() => resources.disposeAsync());
beforeEach(() => {
  site.reset();
  provider.isBroken = false;
  notices = [];
});

function openPipeline(address = provider.address, account?: AccountCookies): Pipeline {
  return { ...pipeline, youtube: withTokenProvider({ ...access, account }, address) };
}

function read(videoId: VideoId, opened = openPipeline()): Promise<VideoInfo> {
  const link = `https://www.youtube.com/watch?v=${videoId}`;
  return extract({ pipeline: opened, signal: new AbortController().signal }, link, folder);
}

function formatsOf(info: VideoInfo): readonly string[] {
  return info.renditions.map(({ id }) => id).toSorted();
}

it("reads a video that every client gets without asking for a token", async () => {
  await read("plain-video");
  expect(site.count({ kind: "token" })).toBe(0);
});

it("converts a video that needs a token, which the provider gets through the exit of the job", async () => {
  const listener = { found: ignore, progress: ignore };
  const url = "https://www.youtube.com/watch?v=token-only1";
  const request = { url, format: "mp3" as const, limits: TIERS.pro, folder: await mkdtemp(path.join(folder, "job-")) };
  const { durationSeconds } = await convert({
    request,
    listener,
    pipeline: openPipeline(),
    signal: new AbortController().signal,
  });
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(site.count({ kind: "token", exit: "one" })).toBeGreaterThan(0);
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
  expect(notices).toEqual([]);
});

it("gets a token for the account where a guest is refused", async () => {
  const file = path.join(folder, "cookies.txt");
  await writeFile(file, site.account.cookiesFile);
  const given = provider.given;
  expect(formatsOf(await read("token-acct1", openPipeline(provider.address, new AccountCookies(file))))).toContain(
    "140",
  );
  expect(provider.given).toBeGreaterThan(given);
});

it.each([
  ["answers with an error", (): string => ((provider.isBroken = true), provider.address)],
  ["does not answer", (): string => "http://127.0.0.1:9"],
])("uses other formats and says what is missing when the provider %s", async (_name, addressOf) => {
  const opened = openPipeline(addressOf());
  expect(formatsOf(await read("token-best1", opened))).toEqual(["18"]);
  expect(notices).toEqual(["tokens"]);
  await expect(read("token-only1", opened)).rejects.toMatchObject({ code: "site_blocked", isTransient: true });
});

it("gets the better formats of the same video with a token", async () => {
  expect(formatsOf(await read("token-best1"))).toEqual(expect.arrayContaining(["137", "18"]));
});

function ignore(): void {}
