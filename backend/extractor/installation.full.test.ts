/** Installs releases by pip, from an index in a folder. The stand-in of other tests has to do the same. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { makeYtDlp, pipSettings, standInDraft } from "../dev/testing/test-renewal.ts";
import { openTestSandbox } from "../dev/testing/test-sandbox.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import type { ToolSandbox } from "../pipeline/process/tool-sandbox.ts";
import { ExtractorFolder } from "./extractor-folder.ts";
import { findWhatHoldsBack } from "./held-back.ts";
import { Installation, type ReleaseDraft } from "./installation.ts";
import { parseRelease } from "./releases.ts";
import { InstallError } from "./run-installer.ts";

const OLD = "2025.12.1";
const STABLE = "2026.1.1";
const NIGHTLY = "2099.1.1.1234.dev0";

const shared = await testFolder();
let index: string;
let python: string;
let sandbox: ToolSandbox;
beforeAll(async () => {
  index = path.join(shared, "index");
  await mkdir(index);
  sandbox = await openTestSandbox();
  python = path.join(path.dirname(await realpath(inject("toolPaths").ytDlpPath)), "python");
  for (const version of [OLD, STABLE, NIGHTLY]) await makeYtDlp(python, "wheel", index, version, "good");
});

async function newFolder(): Promise<ExtractorFolder> {
  return new ExtractorFolder(await mkdtemp(path.join(shared, "extractor-")));
}

function pipDraft(folder: ExtractorFolder, by = python): Installation {
  const options = { python: [by], environment: pipSettings(index), prefix: [], sandbox, folder };
  return new Installation(options, new AbortController().signal);
}

async function versionOf(program: string): Promise<string> {
  return (await promisify(execFile)(program, ["--version"])).stdout.trim();
}

const WAYS: readonly (readonly [name: string, open: (folder: ExtractorFolder) => ReleaseDraft])[] = [
  ["pip", (folder) => pipDraft(folder)],
  ["the stand-in", (folder) => standInDraft(python, { [OLD]: "good", [STABLE]: "good", [NIGHTLY]: "good" }, folder)],
];

describe.each(WAYS)("%s", (_name, open) => {
  it.each([
    ["stable", STABLE],
    ["nightly", NIGHTLY],
    [`pinned ${OLD}`, OLD],
  ])("finds for %s the release %s", async (release, version) => {
    await using draft = open(await newFolder());
    expect((await draft.resolve(parseRelease(release))).version).toBe(version);
    expect(await draft.newest(parseRelease(release))).toBe(version);
  });

  it("makes an environment in which yt-dlp runs, and leaves nothing else", async () => {
    const folder = await newFolder();
    const release = parseRelease(`pinned ${OLD}`);
    await using stack = new AsyncDisposableStack();
    const draft = stack.use(open(folder));
    const environment = await draft.install(await draft.resolve(release));
    expect(environment.version).toBe(OLD);
    expect(await versionOf(folder.programOf(environment))).toBe(OLD);
    await stack.disposeAsync();
    expect(await readdir(folder.home)).toEqual(["environments"]);
  });

  it("fails where no release is as wanted", async () => {
    await using draft = open(await newFolder());
    const failed = draft.resolve(parseRelease("pinned 2024.1.1")).catch((error: unknown) => error);
    expect(await failed).toBeInstanceOf(InstallError);
    await expect(failed).resolves.toHaveProperty(
      "message",
      expect.stringContaining("satisfies the requirement yt-dlp"),
    );
  });
});

it.each([
  ["python", "Requires-Python: >=9.1", /different python/i],
  ["dependency", "Requires-Dist: absent-package>=2", /absent-package>=2/],
])("finds that pip picks an older release because of its %s, with pip's words", async (cause, need, words) => {
  const own = path.join(shared, `index-${cause}`);
  await mkdir(own);
  await makeYtDlp(python, "wheel", own, OLD, "good");
  await makeYtDlp(python, "wheel", own, STABLE, "good", need);
  const options = { python: [python], environment: pipSettings(own), prefix: [], sandbox, folder: await newFolder() };
  await using draft = new Installation(options, new AbortController().signal);
  const release = parseRelease("stable");
  const { version } = await draft.resolve(release);
  expect(version).toBe(OLD);
  const found = await findWhatHoldsBack(draft, release, version);
  expect(found).toEqual({ cause, version: STABLE, words: expect.stringMatching(words) });
});

it("gives the environment a pip of its own where the Python has none", async () => {
  await makeYtDlp(python, "environment", path.join(shared, "first"), STABLE, "good");
  const folder = await newFolder();
  await using draft = pipDraft(folder, path.join(shared, "first", "bin", "python"));
  const release = parseRelease("stable");
  const environment = await draft.install(await draft.resolve(release));
  expect(await versionOf(folder.programOf(environment))).toBe(STABLE);
});
