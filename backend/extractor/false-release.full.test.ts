/** A release of yt-dlp that was tampered with, in a package index on loopback. It must see no more than a call sees. */
import { mkdir, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { startPackageIndex } from "../dev/testing/package-index.ts";
import { makeYtDlp, openTestRenewal } from "../dev/testing/test-renewal.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import { runYtDlp } from "../pipeline/probe/yt-dlp.ts";

const FIRST = "2026.1.1";
const FALSE = "2099.1.1";
const SECRET = "the secret of this server";

let resources: AsyncDisposableStack;
/** Stands for DATA_DIR. */
let dataDir: string;
let packages: string;
let python: string;
/** Address of the index, and of a page with a video. */
let host: string;
/** Connections of the false release. */
let visits: readonly string[];

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const root = await testFolder();
  dataDir = path.join(root, "data");
  packages = path.join(root, "packages");
  await mkdir(packages);
  await mkdir(path.join(dataDir, "scratch", "job-1"), { recursive: true });
  for (const file of ["session-keys.json", "scratch/job-1/info.json"])
    await writeFile(path.join(dataDir, file), SECRET);
  vi.stubEnv("SESSION_KEYS", SECRET);
  python = path.join(path.dirname(await realpath(inject("toolPaths").ytDlpPath)), "python");
  ({ host, visits } = resources.use(await startPackageIndex(packages)));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await resources.disposeAsync();
});

/** @returns what a release looks for, as JSON */
function findable(): string {
  const files = ["session-keys.json", "scratch/*/info.json"].map((file) => path.join(dataDir, file));
  return JSON.stringify({
    secret: SECRET,
    files: [...files, "/proc/*/environ"],
    writes: [path.join(dataDir, "written"), path.join(dataDir, "scratch", "job-1", "written")],
    processes: [process.pid],
    port: Number(host.split(":")[1]),
  });
}

/** Offers a release that looks around at the moment, and lets the server look for a newer one. */
async function renewWith(moment: "start" | "import" | "call" | "build") {
  await makeYtDlp(python, "environment", path.join(dataDir, "first"), FIRST, "good");
  const firstPath = path.join(dataDir, "first", "bin", "yt-dlp");
  await makeYtDlp(python, "false", packages, FALSE, moment, findable());
  const index = `http://${host}/simple/`;
  const opened = await openTestRenewal({ dataDir, firstPath, python, index, site: host });
  resources.defer(() => opened.stop());
  return { ...opened, outcome: await opened.renewal.check() };
}

type Opened = Awaited<ReturnType<typeof renewWith>>;

async function expectThatTheFirstGoesOn({ current, pipeline, folder }: Opened): Promise<void> {
  expect(visits).toEqual([]);
  expect(await readdir(path.join(dataDir, "scratch", "job-1"))).toEqual(["info.json"]);
  expect(await readdir(dataDir)).not.toContain("written");
  expect(await readdir(folder.home)).not.toContain("draft");
  expect(await readdir(path.join(folder.home, "environments"))).toEqual([]);
  expect(current.version).toBe(FIRST);
  const job = await mkdtemp(path.join(dataDir, "job-"));
  const { title } = await extract({ pipeline, signal: new AbortController().signal }, `http://${host}/`, job);
  expect(title).toBe(`by ${FIRST}`);
}

// "start" is a .pth file, whose code runs in each interpreter of the environment before anything is imported.
it.each(["start", "import", "call"] as const)(
  "sees nothing of the server at its first %s, and is dropped",
  async (moment) => {
    const opened = await renewWith(moment);
    const reason = expect.stringContaining("looked around and found nothing");
    expect(opened.outcome).toEqual({ kind: "dropped", version: FALSE, reason });
    expect(opened.lines.at(-1)).toContain(`yt-dlp ${FALSE} is dropped`);
    expect(opened.lines.at(-1)).toContain("looked around and found nothing");
    await expectThatTheFirstGoesOn(opened);
  },
);

it("is not built where there is a source package only", async () => {
  const opened = await renewWith("build");
  const reason = expect.stringContaining("satisfies the requirement yt-dlp");
  expect(opened.outcome).toEqual({ kind: "failed", reason });
  expect(opened.lines.join("\n")).not.toContain("looked around");
  await expectThatTheFirstGoesOn(opened);
});

it("sees nothing of the server while it stays loaded, nor in the folder of another job", async () => {
  const environment = path.join(dataDir, "false");
  await makeYtDlp(python, "environment", environment, FALSE, "looking", findable());
  const firstPath = path.join(environment, "bin", "yt-dlp");
  const { current, pipeline, stop } = await openTestRenewal({ dataDir, firstPath, python, index: {}, site: host });
  resources.defer(() => stop());
  expect(current.isLoaded).toBe(true);
  const folder = path.join(dataDir, "scratch", "job-2");
  await mkdir(folder);
  using lease = await current.acquire();
  const { output } = await runYtDlp(
    { pipeline: { ...pipeline, extractorHost: lease.extractor.host }, signal: new AbortController().signal },
    { args: [], folder, timeoutMs: 60_000 },
  );
  expect(JSON.parse(output)).toEqual({ start: "nothing", import: "nothing", call: "nothing" });
  expect(await readdir(path.join(dataDir, "scratch", "job-1"))).toEqual(["info.json"]);
  expect(await readdir(dataDir)).not.toContain("written");
});
