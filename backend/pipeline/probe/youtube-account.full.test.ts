/** The operator's account: which videos it opens, and that its cookies stay inside of the call. */
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { Job } from "../../../common/job.ts";
import type { VideoId } from "../../dev/stand-ins/youtube-site/videos.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";
import { openTestYouTube } from "../../dev/testing/test-youtube.ts";
import { ExitPool } from "../exits/exit-pool.ts";
import { parseExit } from "../exits/exit.ts";
import type { Pipeline } from "../pipeline.ts";
import { AccountCookies } from "./account-cookies.ts";
import { extract } from "./extraction.ts";
import type { VideoInfo } from "./info.ts";
import type { ExtractionAttempt } from "./youtube.ts";

const { site, folder, caFile, pipeline: base } = await ofFile(openTestYouTube());
const { proxyUrl } = await site.openExit("one");
let cookiesFile = path.join(folder, "operators-cookies.txt");
await writeFile(cookiesFile, site.account.cookiesFile, { mode: 0o400 });
let attempts: ExtractionAttempt[];
let notices: string[];
beforeEach(() => {
  site.reset();
  attempts = [];
  notices = [];
});

interface Reading {
  readonly isGuest?: boolean;
  readonly jobFolder?: string;
  readonly signal?: AbortSignal;
}

async function read(
  videoId: VideoId,
  { isGuest = false, jobFolder = folder, signal }: Reading = {},
): Promise<VideoInfo> {
  const pipeline: Pipeline = {
    ...base,
    youtube: {
      exits: new ExitPool({ exits: [parseExit(proxyUrl)], extractionsPerHour: Infinity }),
      clientOrder: ["visionos", "default"],
      playerFolder: path.join(folder, "players"),
      account: isGuest ? undefined : new AccountCookies(cookiesFile),
      onAttempt: (attempt) => attempts.push(attempt),
      onNotice: (notice) => notices.push(notice),
    },
  };
  const link = `https://www.youtube.com/watch?v=${videoId}`;
  return await extract({ pipeline, signal: signal ?? new AbortController().signal }, link, jobFolder);
}

/** @returns where a secret of the account stands, of the given texts */
function leaks(texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(texts).filter((name) => site.account.secrets.some((secret) => texts[name]?.includes(secret)));
}

/** Command lines and environments of all processes that this user may read. */
async function processTexts(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name)))
    for (const kind of ["cmdline", "environ"])
      // A process may have ended meanwhile.
      texts[`${pid} ${kind}`] = await readFile(`/proc/${pid}/${kind}`, "utf8").catch(() => "");
  return texts;
}

async function fileTexts(root: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && file !== cookiesFile) texts[file] = await readFile(file, "latin1");
  }
  return texts;
}

it.each<[VideoId, string]>([
  ["age-account", "login_required"],
  ["members-acc", "members_only"],
  ["bot-account", "busy"],
])("opens %s, which a guest cannot get: %s", async (videoId, code) => {
  await expect(read(videoId, { isGuest: true })).rejects.toMatchObject({ code });
  expect(site.requests.every(({ cookie }) => !cookie?.includes("LOGIN_INFO"))).toBe(true);
  const { renditions } = await read(videoId);
  expect(renditions.map(({ id }) => id)).toContain("140");
  expect(attempts.at(-1)).toMatchObject({ client: "account", outcome: "ok" });
});

it("is not used for videos that a guest gets, nor for private ones", async () => {
  await read("plain-video");
  await read("age-embedde");
  await expect(read("private-acc")).rejects.toMatchObject({ code: "private" });
  expect(site.requests.every(({ cookie }) => !cookie?.includes("LOGIN_INFO"))).toBe(true);
});

it("is not preferred to a guest who gets better formats, and is taken where it alone gets any", async () => {
  const formatsOf = async (videoId: VideoId): Promise<readonly string[]> =>
    (await read(videoId)).renditions.map(({ id }) => id);
  expect(await formatsOf("poor-acct-1")).toEqual(expect.arrayContaining(["137", "140", "251"]));
  expect(attempts.map(({ client, outcome }) => [client, outcome])).toEqual([
    ["visionos", "site_blocked"],
    ["default", "ok"],
  ]);
  attempts = [];
  expect(await formatsOf("age-acct-18")).toEqual(["18"]);
  expect(attempts.at(-1)).toMatchObject({ client: "account", outcome: "ok" });
});

it("shows its cookies to youtube.com only: not in processes, other hosts, files or what is returned", async () => {
  const jobFolder = await mkdtemp(path.join(folder, "job-"));
  const seen: Record<string, string> = {};
  const files: string[] = [];
  site.beforeSignedInAnswer = async () => {
    Object.assign(seen, await processTexts());
    files.push(...(await readdir(jobFolder)).filter((name) => name.startsWith("account-")));
  };
  const before = await stat(cookiesFile);
  const info = await read("members-acc", { jobFolder });
  // Without these, the test would look at nothing: yt-dlp ran, and the site renewed a cookie.
  expect(Object.values(seen).some((text) => text.includes("host_sandbox.py"))).toBe(true);
  expect(new Set(files).size).toBe(1);
  expect(site.account.secrets.length).toBeGreaterThan(2);
  expect(leaks(seen)).toEqual([]);
  const hosts = site.requests.filter(({ cookie = "" }) => leaks({ cookie }).length > 0).map(({ host }) => host);
  expect(new Set(hosts)).toEqual(new Set(["www.youtube.com"]));
  expect(leaks({ info: JSON.stringify(info), attempts: JSON.stringify(attempts) })).toEqual([]);
  expect(await readdir(jobFolder)).not.toContain(files[0]);
  expect(leaks(await fileTexts(folder))).toEqual([]);
  expect(await stat(cookiesFile)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino, size: before.size });
});

it("says that its cookies are no longer valid, fails as for a guest, and leaves nothing behind", async () => {
  site.account.isSignedIn = false;
  const error = (await read("members-acc").catch((thrown: unknown) => thrown)) as Error & { detail?: string };
  expect(error).toMatchObject({ code: "members_only" });
  expect(notices).toContain("cookies");
  expect(leaks({ error: `${error.message} ${error.stack} ${error.detail}` })).toEqual([]);
  expect(leaks(await fileTexts(folder))).toEqual([]);
});

it("leaves its cookies out of an error whose text has them", async () => {
  const error = (await read("age-telling").catch((thrown: unknown) => thrown)) as Error & { detail?: string };
  expect(attempts.at(-1)).toMatchObject({ client: "account", outcome: "unavailable" });
  expect(error.detail).toContain("LOGIN_INFO=[cookie]");
  expect(leaks({ error: `${error.message} ${error.stack} ${error.detail}` })).toEqual([]);
});

it("leaves nothing behind when the job is canceled", async () => {
  const jobFolder = await mkdtemp(path.join(folder, "job-"));
  const abort = new AbortController();
  site.beforeSignedInAnswer = () => {
    abort.abort(new Error("canceled"));
    return Promise.resolve();
  };
  await expect(read("age-account", { jobFolder, signal: abort.signal })).rejects.toThrow("canceled");
  expect(leaks(await fileTexts(jobFolder))).toEqual([]);
});

it("fails as for a guest when the file has become unusable", async () => {
  const file = cookiesFile;
  cookiesFile = path.join(folder, "gone.txt");
  try {
    await expect(read("age-account")).rejects.toMatchObject({ code: "login_required" });
    expect(notices).toEqual(["cookies"]);
  } finally {
    cookiesFile = file;
  }
});

it("has its cookies in no line that a whole server logs at level trace, nor in what visitors get", async () => {
  const lines: string[] = [];
  await using server = await startTestServer({
    YOUTUBE_EXITS: proxyUrl,
    YOUTUBE_COOKIES_FILE: cookiesFile,
    LOG_LEVEL: "trace",
    caFile,
    onLogLine: (line) => lines.push(line),
  });
  const device = await server.newDevice();
  const live = await device.live();
  const convert = async (videoId: VideoId): Promise<Job> => {
    const { id } = await device.convert(`https://www.youtube.com/watch?v=${videoId}`);
    return live.untilStatus(id, "completed", "failed");
  };
  const jobs = [await convert("members-acc"), await convert("age-telling")];
  site.account.isSignedIn = false;
  jobs.push(await convert("age-account"));
  expect(jobs.map(({ status }) => status)).toEqual(["completed", "failed", "failed"]);
  // Without this, the test would look at nothing: the second failure is logged with what the tool said.
  expect(lines.join("")).toContain("LOGIN_INFO=[cookie]");
  expect(leaks({ lines: lines.join(""), jobs: JSON.stringify(jobs) })).toEqual([]);
});
