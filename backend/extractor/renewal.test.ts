/** What the renewal decides about a release, and what it keeps of it. Nothing is installed, and no yt-dlp runs. */
import { readdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { DAY_MS } from "../../common/durations.ts";
import { tryLockFolder } from "../runtime/folder-lock.ts";
import { CanaryError, TrialPostponed } from "./canary.ts";
import { ExtractorFolder, type Environment } from "./extractor-folder.ts";
import type { CurrentExtractor } from "./current-extractor.ts";
import { parseRelease, type PackageSet } from "./releases.ts";
import { InstallError } from "./run-installer.ts";
import { Renewal, type CountedOutcome } from "./renewal.ts";

const FIRST = "2026.1.1";
const NEWER = "2099.1.1";
const YET_NEWER = "2099.1.2";

let folder: ExtractorFolder;
let lines: string[];
let counted: CountedOutcome[];
/** What an install brings. */
let offered: string | undefined;
/** The newest of the index. */
let newest: string;
/** What pip says when the newest is named. */
let refusal: string;
let dependencies: PackageSet["packages"];
let waitMs: number;
/** Thrown when a version is tried. */
let objection: Error | undefined;

/** Like `CurrentExtractor`, without loading anything. */
class NamedExtractor {
  environment: Environment | null = null;
  version: string = FIRST;
  readonly failureShare = 0.25;
  isFailing = false;

  async refresh(): Promise<void> {
    this.environment = (await folder.readPointer()).present;
    this.version = this.environment?.version ?? FIRST;
  }
}
let current: NamedExtractor;

beforeEach(async () => {
  folder = new ExtractorFolder(await testFolder());
  lines = [];
  counted = [];
  offered = NEWER;
  newest = NEWER;
  refusal = "No matching distribution";
  dependencies = [];
  waitMs = 0;
  objection = undefined;
  current = new NamedExtractor();
});

function setOf(version: string): PackageSet {
  return { version, packages: [{ name: "yt-dlp", version, sha256: version }, ...dependencies] };
}

function open(release = "stable", tryLock = tryLockFolder): Renewal {
  const keep = (line: string): void => void lines.push(line);
  return new Renewal({
    release: parseRelease(release),
    rules: { waitMs, names: new Set(["yt-dlp", "requests"]) },
    folder,
    current: current as unknown as CurrentExtractor,
    canaries: { tryVersion: () => (objection ? Promise.reject(objection) : Promise.resolve()) },
    openDraft: () => ({
      resolve: (wanted) => {
        if (offered === undefined) return Promise.reject(new InstallError("no index"));
        const isHeldBack = wanted.kind === "pinned" && wanted.version === newest && newest !== offered;
        return isHeldBack ? Promise.reject(new InstallError(refusal)) : Promise.resolve(setOf(offered));
      },
      newest: () => Promise.resolve(newest),
      install: ({ version }) => Promise.resolve({ version, name: `${version}-made` }),
      [Symbol.asyncDispose]: () => rm(folder.draft, { recursive: true, force: true }),
    }),
    tryLock,
    log: { info: keep, warn: keep },
    count: (outcome) => counted.push(outcome),
  });
}

describe("a newer release", () => {
  it("is swapped in, and the one before is kept to go back to", async () => {
    const renewal = open();
    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    offered = YET_NEWER;
    expect(await renewal.check()).toEqual({ kind: "swapped", version: YET_NEWER });
    expect(await folder.readPointer()).toEqual({
      present: { version: YET_NEWER, name: `${YET_NEWER}-made` },
      previous: { version: NEWER, name: `${NEWER}-made` },
      failureShareBefore: 0.25,
    });
    expect(current.version).toBe(YET_NEWER);
    expect(counted).toEqual(["swapped", "swapped"]);
    expect(await readdir(folder.home)).not.toContain("draft");
  });

  it("is dropped with its reason when it fails its canary, and only a yet newer one is tried", async () => {
    const renewal = open();
    objection = new CanaryError("it cannot be loaded");
    expect(await renewal.check()).toMatchObject({ kind: "dropped", version: NEWER, reason: "it cannot be loaded" });
    expect((await folder.readKnowledge()).refused).toMatchObject([{ version: NEWER, reason: "it cannot be loaded" }]);
    expect(lines.at(-1)).toContain(`yt-dlp ${NEWER} is dropped`);
    objection = undefined;
    expect(await renewal.check()).toEqual({ kind: "refused before", version: NEWER });
    offered = YET_NEWER;
    expect(await renewal.check()).toEqual({ kind: "swapped", version: YET_NEWER });
  });

  it("is tried again at the next look when the reason of its failure is not its own", async () => {
    const renewal = open();
    objection = new TrialPostponed("no room");
    expect(await renewal.check()).toMatchObject({ kind: "postponed", reason: "no room" });
    expect((await folder.readKnowledge()).refused).toEqual([]);
    expect([current.version, lines.at(-1)]).toEqual([FIRST, expect.stringContaining("could not be tried")]);
    objection = undefined;
    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
  });

  it("is rolled back to the first one when it fails in use, and refused from then on", async () => {
    const renewal = open();
    await renewal.check();
    const { present: environment } = await folder.readPointer();
    if (!environment) throw new TypeError("nothing was swapped in");
    await renewal.rollBack({ version: "2098.1.1", name: "another" }, "it is not in use");
    expect(current.version).toBe(NEWER);
    await renewal.rollBack(environment, "its links fail");
    expect(current.version).toBe(FIRST);
    expect(await renewal.check()).toEqual({ kind: "refused before", version: NEWER });
    expect(counted).toEqual(["swapped", "rolled back", "refused before"]);
  });
});

describe("a newer release that waits", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2098, 11, 1) });
    waitMs = 2 * DAY_MS;
  });
  afterEach(() => void vi.useRealTimers());

  it("is installed when it was offered for the set time, though a yet newer one is out by then", async () => {
    const renewal = open();
    expect(await renewal.check()).toEqual({ kind: "waiting", version: NEWER });
    expect(lines).toEqual([`yt-dlp ${NEWER} waits until 2098-12-03T00:00:00.000Z, because it is new`]);
    vi.setSystemTime(Date.now() + 2 * DAY_MS - 1);
    expect(await renewal.check()).toEqual({ kind: "waiting", version: NEWER });
    expect(lines).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1);
    offered = YET_NEWER;
    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    expect((await folder.readKnowledge()).waiting).toMatchObject({ version: YET_NEWER, packages: [] });
  });

  it("is never installed when the index has withdrawn it", async () => {
    const renewal = open();
    offered = YET_NEWER;
    await renewal.check();
    offered = NEWER;
    vi.setSystemTime(Date.now() + 2 * DAY_MS);
    expect(await renewal.check()).toEqual({ kind: "waiting", version: NEWER });
  });

  it("waits six hours only while most links fail with the present one, and the log says so", async () => {
    const renewal = open();
    await renewal.check();
    current.isFailing = true;
    vi.setSystemTime(Date.now() + DAY_MS / 4);
    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    expect(lines.join("\n")).toContain("so a new one waits 6 hours only");
  });

  it("does not wait when it is pinned", async () => {
    expect(await open(`pinned ${NEWER}`).check()).toEqual({ kind: "swapped", version: NEWER });
  });

  it("brings no package that the lock does not know", async () => {
    waitMs = 0;
    const dependency = { name: "new-one", version: "1.0", sha256: "0" };
    dependencies = [{ ...dependency, name: "requests" }, dependency];
    const renewal = open();
    expect(await renewal.check()).toEqual({ kind: "waiting", version: NEWER });
    expect(await open(`pinned ${NEWER}`).check()).toEqual({ kind: "waiting", version: NEWER });
    expect(current.version).toBe(FIRST);
    expect(lines).toEqual([`yt-dlp ${NEWER} waits for a word of the operator, because it needs new-one`]);
    expect((await folder.readKnowledge()).waiting).toEqual({ version: NEWER, untilMs: null, packages: ["new-one"] });
    dependencies = [];
    expect(await renewal.check()).toEqual({ kind: "swapped", version: NEWER });
    expect((await folder.readKnowledge()).waiting).toBeNull();
  });
});

it("notices once that an install brings nothing newer", async () => {
  offered = newest = "2025.12.1";
  const renewal = open();
  expect(await renewal.check()).toEqual({ kind: "nothing newer", version: "2025.12.1" });
  expect(await renewal.check()).toEqual({ kind: "nothing newer", version: "2025.12.1" });
  expect(lines.filter((line) => line.includes("offers no yt-dlp newer than 2025.12.1"))).toHaveLength(1);
});

describe("an old version that nothing replaces", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 5, 1) });
    offered = FIRST;
  });
  afterEach(() => void vi.useRealTimers());

  it.each([
    ["python", "ERROR: Ignored the following versions that require a different python version: 2099.1.1"],
    ["dependency", "ERROR: Could not find a version that satisfies the requirement certifi>=2099"],
  ])("is kept because of its %s, and the log says so once a day", async (cause, words) => {
    refusal = words;
    const renewal = open();
    expect(await renewal.check()).toEqual({ kind: "nothing newer", version: FIRST });
    expect((await folder.readKnowledge()).heldBack).toEqual({ cause, version: NEWER, words });
    expect(lines).toEqual([expect.stringContaining(words)]);
    vi.setSystemTime(Date.now() + DAY_MS - 1);
    await renewal.check();
    expect(lines).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1);
    await renewal.check();
    expect(lines).toHaveLength(2);
    offered = NEWER;
    await renewal.check();
    expect((await folder.readKnowledge()).heldBack).toBeNull();
  });

  it("is kept because the index has no newer one", async () => {
    newest = FIRST;
    await open().check();
    expect((await folder.readKnowledge()).heldBack).toEqual({ cause: "index", version: FIRST, words: "" });
  });

  it.each([
    [15, null],
    [16, "index"],
  ])("is not called old before two weeks: on day %d of January %s", async (day, cause) => {
    vi.setSystemTime(Date.UTC(2026, 0, day));
    newest = FIRST;
    await open().check();
    expect((await folder.readKnowledge()).heldBack?.cause ?? null).toBe(cause);
  });
});

it("installs an older release when it is pinned, and stays with it", async () => {
  offered = "2025.12.1";
  const renewal = open("pinned 2025.12.1");
  expect(await renewal.check()).toMatchObject({ kind: "swapped" });
  expect(current.version).toBe("2025.12.1");
  expect(await renewal.check()).toMatchObject({ kind: "nothing newer" });
});

it("leaves the present version as it is when nothing can be installed", async () => {
  offered = undefined;
  expect(await open().check()).toEqual({ kind: "failed", reason: "no index" });
  expect([current.version, lines.at(-1)]).toEqual([FIRST, expect.stringContaining("the present one stays: no index")]);
  expect((await folder.readKnowledge()).heldBack).toEqual({ cause: "failed", version: null, words: "no index" });
});

it("does nothing while another process holds the lock", async () => {
  const locked = open("stable", () => Promise.resolve(undefined));
  expect(await locked.check()).toEqual({ kind: "locked" });
  await locked.rollBack({ version: FIRST, name: "first" }, "its links fail");
  expect([counted, await readdir(folder.home)]).toEqual([["locked"], []]);
});
