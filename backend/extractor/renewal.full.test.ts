/** The renewal of yt-dlp with stand-ins for it that run; with pip where a test says so. */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { makeYtDlp, openTestRenewal, type Behaviour, type TestRenewalOptions } from "../dev/testing/test-renewal.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

const execute = promisify(execFile);
const FIRST = "2026.1.1";
const NEWER = "2099.1.1";
const YET_NEWER = "2099.1.2";
const PROCESS = path.resolve(import.meta.dirname, "../dev/testing/renewal-process.ts");

const shared = await testFolder();
let python: string;
let firstPath: string;
beforeAll(async () => {
  python = path.join(path.dirname(await realpath(inject("toolPaths").ytDlpPath)), "python");
  await makeYtDlp(python, "environment", path.join(shared, "first"), FIRST, "good");
  firstPath = path.join(shared, "first", "bin", "yt-dlp");
});

let resources: AsyncDisposableStack;
let dataDir: string;
let releases: Record<string, Behaviour>;
/** Folder of wheels for pip. */
let index: string;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  dataDir = await mkdtemp(path.join(shared, "data-"));
  releases = {};
  index = path.join(dataDir, "index");
  await mkdir(index);
});
afterEach(() => resources.disposeAsync());

async function publishForPip(version: string, behaviour: Behaviour = "good"): Promise<void> {
  await makeYtDlp(python, "wheel", index, version, behaviour);
}

async function open(options: Partial<TestRenewalOptions> = {}) {
  const opened = await openTestRenewal({ dataDir, firstPath, python, index: releases, ...options });
  resources.defer(() => opened.stop());
  return opened;
}

/** Answers each request when the test says so. */
async function startSite() {
  const waiting: ServerResponse[] = [];
  let failures = 0;
  const server = createServer((request, response) => {
    if (failures > 0) {
      failures -= 1;
      response.statusCode = 503;
    }
    response.setHeader("content-type", request.url?.endsWith(".mp4") ? "video/mp4" : "text/html");
    if (request.url === "/held") waiting.push(response);
    else response.end("<html><head><title>A</title></head><body><video src='/clip.mp4'></video></body></html>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  resources.defer(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    /** The next request fails. */
    failNext: () => {
      failures += 1;
    },
    answerAll: () => {
      for (const response of waiting)
        response.end("<html><head><title>Held</title></head><body><video src='/clip.mp4'></video></body></html>");
    },
  };
}

async function read(pipeline: Pipeline, link: string) {
  const folder = await mkdtemp(path.join(dataDir, "job-"));
  return extract({ pipeline, signal: new AbortController().signal }, link, folder);
}

/** Runs five extractions while something else happens, all of which must end as they began. */
async function besideFiveExtractions(work: () => Promise<void>): Promise<void> {
  const site = await startSite();
  const { pipeline, current } = await open({ site: site.host });
  const held = Array.from({ length: 5 }, () => read(pipeline, `http://${site.host}/held`));
  await expect.poll(() => site.waiting.length).toBe(5);
  expect(current.version).toBe(FIRST);
  await work();
  site.answerAll();
  expect((await Promise.all(held)).map(({ title }) => title)).toEqual(Array(5).fill(`by ${FIRST}`));
}

/** What a finished or failed try leaves besides the lock and the two files. */
async function leavings(): Promise<readonly string[]> {
  const home = path.join(dataDir, "extractor");
  return (await readdir(home)).filter((name) => !/^(?:\.lock.*|environments|current\.json|releases\.json)$/.test(name));
}

async function environments(): Promise<readonly string[]> {
  const names = await readdir(path.join(dataDir, "extractor", "environments"));
  return names.map((name) => name.slice(0, name.lastIndexOf("-")));
}

describe("a newer release", () => {
  it("is installed by pip and swapped in while five extractions run, and loses none of them", async () => {
    const site = await startSite();
    await publishForPip(NEWER);
    const { renewal, current, pipeline } = await open({ site: site.host, index });
    const held = Array.from({ length: 5 }, () => read(pipeline, `http://${site.host}/held`));
    await expect.poll(() => site.waiting.length).toBe(5);

    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    expect(current.version).toBe(NEWER);
    const info = await read(pipeline, `http://${site.host}/`);
    expect([info.title, info.renditions.length]).toEqual([`by ${NEWER}`, 1]);

    site.answerAll();
    expect((await Promise.all(held)).map(({ title }) => title)).toEqual(Array(5).fill(`by ${FIRST}`));
    expect(await leavings()).toEqual([]);
  });

  it("is used by another process on the folder, and after a restart", async () => {
    const site = await startSite();
    releases[NEWER] = "good";
    const one = await open();
    const other = await open({ site: site.host });
    await one.renewal.check();
    await read(other.pipeline, `http://${site.host}/`);
    await expect.poll(() => other.current.version).toBe(NEWER);
    expect((await read(other.pipeline, `http://${site.host}/`)).title).toBe(`by ${NEWER}`);
    expect((await open()).current.version).toBe(NEWER);
  });

  it("is dropped with its reason when it fails its canary, and only a yet newer one is tried", async () => {
    releases[NEWER] = "broken";
    const results: string[] = [];
    const { renewal, current, folder, lines } = await open({ count: (...result) => results.push(result.join(" ")) });
    await besideFiveExtractions(async () => {
      expect(await renewal.check()).toMatchObject({ kind: "dropped", version: NEWER });
    });
    expect(current.version).toBe(FIRST);
    expect((await folder.readKnowledge()).refused).toMatchObject([
      { version: NEWER, reason: expect.stringContaining("unable to extract the player") },
    ]);
    expect(lines.join("\n")).toContain(`yt-dlp ${NEWER} is dropped`);
    expect(results).toEqual(["new sample failed"]);
    expect(await environments()).toEqual([]);

    expect(await renewal.check()).toEqual({ kind: "refused before", version: NEWER });
    releases[YET_NEWER] = "good";
    expect(await renewal.check()).toEqual({ kind: "swapped", version: YET_NEWER });
  });

  it("is dropped when it fails for a canary link that the present one reads", async () => {
    const site = await startSite();
    releases[NEWER] = "failing-in-use";
    const { renewal } = await open({ site: site.host, links: [`http://${site.host}/video`] });
    expect(await renewal.check()).toMatchObject({ kind: "dropped", reason: expect.stringContaining("/video") });
  });

  it("is tried again at the next look when the reason of its failure is not its own", async () => {
    const site = await startSite();
    const results: string[] = [];
    const count: TestRenewalOptions["count"] = (...result) => results.push(result.join(" "));
    releases[NEWER] = "out-of-room";
    const { renewal, folder, current, lines } = await open({ site: site.host, links: [`http://${site.host}/`], count });
    expect(await renewal.check()).toMatchObject({
      kind: "postponed",
      reason: expect.stringContaining("No space left"),
    });
    expect(lines.join("\n")).toContain(`yt-dlp ${NEWER} could not be tried`);

    releases[NEWER] = "good";
    site.failNext();
    expect(await renewal.check()).toMatchObject({ kind: "postponed", reason: expect.stringContaining("site_blocked") });
    expect((await folder.readKnowledge()).refused).toEqual([]);
    expect([await environments(), await leavings()]).toEqual([[], []]);

    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    expect(current.version).toBe(NEWER);
    const links = ["undecided", "passed"].map((result) => `new link ${result}`);
    expect(results).toEqual(["new sample undecided", "new sample passed", links[0], "new sample passed", links[1]]);
  });

  it("is not judged by a link that the present one cannot read either, and rolled back when it fails in use", async () => {
    const site = await startSite();
    const results: string[] = [];
    releases[NEWER] = "failing-in-use";
    const count: TestRenewalOptions["count"] = (...result) => results.push(result.join(" "));
    const links = ["http://127.0.0.1:9/video"];
    const { renewal, current, pipeline, folder } = await open({ site: site.host, links, count });
    await read(pipeline, `http://${site.host}/video`);
    expect(await renewal.check()).toMatchObject({ kind: "swapped" });
    expect(results).toEqual(["new sample passed", "new link undecided"]);

    const failToRead = async (name: string) =>
      await expect(read(pipeline, `http://${site.host}/${name}`)).rejects.toBeInstanceOf(ConversionError);
    for (let links = 1; links < 20; links += 1) await failToRead(`video-${links}`);
    expect(current.version).toBe(NEWER);
    await failToRead("video-20");
    await expect.poll(() => current.version).toBe(FIRST);
    expect((await read(pipeline, `http://${site.host}/video`)).title).toBe(`by ${FIRST}`);
    expect((await folder.readKnowledge()).refused).toMatchObject([
      { version: NEWER, reason: "100 % of its links failed, 0 % before it" },
    ]);
    expect(await renewal.check()).toEqual({ kind: "refused before", version: NEWER });
  });
});

it("keeps no more than sixteen player scripts while it runs", async () => {
  const { current } = await open();
  const lease = await current.acquire();
  const scripts = path.join(lease.extractor.playerFolder ?? "", "challenge-solver");
  await mkdir(scripts);
  for (let version = 0; version < 20; version += 1) await writeFile(path.join(scripts, `${version}.json`), "{}");
  lease[Symbol.dispose]();
  await expect.poll(() => readdir(scripts)).toHaveLength(16);
});

/**
 * Gives the folder of the renewal a disk of its own.
 * @returns undefined for a user who may not mount one, and then only the size of files can be limited
 */
async function mountDisk(size: string): Promise<{ resize(size: string): Promise<void> } | undefined> {
  const disk = path.join(dataDir, "extractor");
  await mkdir(disk, { recursive: true });
  const mount = (options: string): Promise<boolean> =>
    execute("mount", ["-t", "tmpfs", "-o", options, "tapedeck-test", disk]).then(
      () => true,
      () => false,
    );
  if (!(await mount(`size=${size}`))) return undefined;
  resources.defer(async () => void (await execute("umount", ["--lazy", disk])));
  return {
    resize: async (larger) => {
      if (!(await mount(`remount,size=${larger}`))) throw new Error("the disk cannot be made larger");
    },
  };
}

describe("a failed installation leaves the present version as it is", () => {
  it("when the disk is full", async () => {
    await publishForPip(NEWER, "large");
    // Larger than what pip writes beside the release, smaller than the release.
    const mounted = await mountDisk("5m");
    const full = await open(mounted ? { index } : { index, prefix: ["prlimit", "--fsize=4000000"] });
    await besideFiveExtractions(async () => {
      const reason = expect.stringMatching(mounted ? /no space left/i : /too large/i);
      expect(await full.renewal.check()).toMatchObject({ kind: "failed", reason });
      expect(full.current.version).toBe(FIRST);
      expect(await leavings()).toEqual([]);
      await mounted?.resize("100m");
      expect(await (await open({ index })).renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    });
  });
});

class RenewalProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: string[] = [];
  readonly #output: Interface;

  constructor(stopAt?: string, offered: TestRenewalOptions["index"] = releases) {
    const order = JSON.stringify({ dataDir, firstPath, python, index: offered, stopAt });
    this.child = spawn(process.execPath, [PROCESS, order]);
    this.#output = createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.#lines.push(line);
    });
    resources.defer(() => this.kill());
  }

  async reached(line: string): Promise<void> {
    while (!this.#lines.includes(line)) await once(this.#output, "line");
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}

async function expectNextTryToSucceed(options: Partial<TestRenewalOptions> = {}): Promise<void> {
  const { renewal, current } = await open(options);
  expect(current.version).toBe(FIRST);
  expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
  expect(await leavings()).toEqual([]);
  expect(await environments()).toEqual([NEWER]);
}

describe("a process that is killed leaves the present version as it is, and the next try cleans up", () => {
  it("while pip writes files", async () => {
    await publishForPip(NEWER, "many-files");
    await besideFiveExtractions(async () => {
      // It stops there where it is killed late.
      const killed = new RenewalProcess("placed", index);
      const draft = path.join(dataDir, "extractor", "draft");
      const hasFiles = async () => (await readdir(draft, { recursive: true })).some((name) => name.includes("many/m"));
      await expect.poll(() => hasFiles().catch(() => false)).toBe(true);
      await killed.kill();
      expect(await leavings()).toEqual(["draft"]);
      await publishForPip(NEWER);
      await expectNextTryToSucceed({ index });
    });
  });

  it.each([
    ["before the canaries", "placed"],
    ["while the pointer is replaced", "pointing"],
  ])("%s", async (_when, step) => {
    releases[NEWER] = "good";
    await besideFiveExtractions(async () => {
      const killed = new RenewalProcess(step);
      await killed.reached(`step ${step}`);
      await killed.kill();
      expect(await leavings()).not.toEqual([]);
      await expectNextTryToSucceed();
    });
  });
});

it("lets one of two processes install, and the other one leaves the folder alone", async () => {
  releases[NEWER] = "good";
  const one = new RenewalProcess("installing");
  await one.reached("step installing");
  const other = new RenewalProcess();
  await other.reached('outcome {"kind":"locked"}');
  one.child.stdin.write("go on\n");
  await one.reached(`outcome {"kind":"swapped","version":"${NEWER}"}`);
  expect(await environments()).toEqual([NEWER]);
});
