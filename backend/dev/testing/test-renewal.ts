/** A renewal of yt-dlp for a test: with releases that need no pip, or with pip and an index in a folder. */
import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { parseHostEntry } from "../../../common/hosts.ts";
import { Canaries, type CanaryOptions } from "../../extractor/canary.ts";
import { ExtractorFolder } from "../../extractor/extractor-folder.ts";
import { Installation, type ReleaseDraft } from "../../extractor/installation.ts";
import { lockedNames } from "../../extractor/locked-packages.ts";
import { CurrentExtractor } from "../../extractor/current-extractor.ts";
import { compareVersions, parseRelease, type Release } from "../../extractor/releases.ts";
import { InstallError } from "../../extractor/run-installer.ts";
import { Renewal, type CountedOutcome, type RenewalStep } from "../../extractor/renewal.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { tryLockFolder } from "../../runtime/folder-lock.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";
import { PATIENT_LIMITS } from "./patient-limits.ts";
import { openTestSandbox } from "./test-sandbox.ts";

const SCRIPT = path.join(import.meta.dirname, "yt_dlp_wheels.py");

/** What a stand-in for yt-dlp does, see yt_dlp_wheels.py. */
const Behaviour = z.enum(["good", "broken", "failing-in-use", "out-of-room", "large", "many-files"]);
export type Behaviour = z.infer<typeof Behaviour>;

export const RenewalOrder = z.object({
  dataDir: z.string(),
  firstPath: z.string(),
  python: z.string(),
  /** Folder of wheels, the address of an index, or the releases that are out, by version: those are installed without pip. */
  index: z.union([z.string(), z.record(z.string(), Behaviour)]),
  release: z.string().default("stable"),
  /** Command in front of Python and pip. */
  prefix: z.array(z.string()).optional(),
  /** Host and port of a site that extractions may contact. */
  site: z.string().optional(),
  stopAt: z.string().optional(),
});

export interface TestRenewalOptions extends Omit<z.input<typeof RenewalOrder>, "stopAt"> {
  readonly onStep?: (step: RenewalStep) => Promise<void>;
  readonly links?: readonly string[];
  readonly count?: CanaryOptions["count"];
  readonly countRenewal?: (outcome: CountedOutcome) => void;
  /** The way to YouTube, and the authority that it needs. */
  readonly youtube?: Pipeline["youtube"];
  readonly caFile?: string;
  /** How long a release waits; default 0. */
  readonly waitMs?: number;
  /** Whether pip compiles the modules of yt-dlp, of which a test uses few; default true. */
  readonly compiles?: boolean;
}

/** @param args see yt_dlp_wheels.py */
export async function makeYtDlp(python: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(python, ["-I", SCRIPT, ...args]);
}

/** Like `Installation`, for stand-ins and without pip: a contract test compares them. */
export function standInDraft(
  python: string,
  releases: Readonly<Record<string, Behaviour>>,
  folder: ExtractorFolder,
): ReleaseDraft {
  const isOffered = (version: string, release: Release): boolean =>
    release.kind === "pinned" ? version === release.version : release.kind === "nightly" || !version.includes("dev");
  return {
    async resolve(release) {
      await mkdir(folder.draft, { recursive: true });
      const offered = Object.keys(releases).filter((version) => isOffered(version, release));
      const version = offered.toSorted(compareVersions).at(-1);
      if (version === undefined) throw new InstallError("no release satisfies the requirement yt-dlp");
      return { version, packages: [{ name: "yt-dlp", version, sha256: "" }] };
    },
    async newest(release) {
      return (await this.resolve(release)).version;
    },
    async install({ version }) {
      const environment = { version, name: `${version}-${Date.now().toString(36)}` };
      await makeYtDlp(python, "environment", folder.folderOf(environment), version, releases[version] ?? "good");
      return environment;
    },
    [Symbol.asyncDispose]: () => rm(folder.draft, { recursive: true, force: true }),
  };
}

/** @returns pip's variables for a folder of wheels, or the address of an index */
export function pipSettings(index: string): Record<string, string> {
  return path.isAbsolute(index) ? { PIP_NO_INDEX: "1", PIP_FIND_LINKS: index } : { PIP_INDEX_URL: index };
}

/** Without a prefix in the options, Python and pip run at the priority of the test. */
export async function openTestRenewal(options: TestRenewalOptions) {
  const {
    dataDir,
    firstPath,
    python,
    index,
    release = "stable",
    prefix = [],
    site,
    onStep,
    links = [],
    count,
  } = options;
  const { youtube, caFile, countRenewal, waitMs = 0, compiles = true } = options;
  const sandbox = await openTestSandbox();
  await mkdir(dataDir, { recursive: true });
  const started = new AsyncDisposableStack();
  const lines: string[] = [];
  const folder = new ExtractorFolder(path.join(dataDir, "extractor"));
  const keep = (line: string): void => {
    lines.push(line);
  };
  const log = { info: keep, warn: keep };
  const isPinned = release.startsWith("pinned");
  const current = started.use(
    await CurrentExtractor.open({ firstPath, dataDir, caFile, sandbox, folder, isPinned, log }),
  );
  const guard = started.use(await startEgressGuard({ allow: site === undefined ? [] : [parseHostEntry(site)] }));
  const pipeline: Pipeline = {
    tools: { ytDlpPath: firstPath, ffmpegPath: "", ffprobePath: "", denoPath: findScriptRuntime(), caFile },
    guard,
    videoHosts: [],
    limits: PATIENT_LIMITS,
    extractors: current,
    sandbox,
    youtube,
  };
  const canaries = new Canaries({ pipeline, links, count });
  const renewal = started.use(
    new Renewal({
      release: parseRelease(release),
      rules: { waitMs, names: lockedNames() },
      folder,
      current,
      canaries,
      count: countRenewal,
      openDraft: (signal) => {
        if (typeof index !== "string") return standInDraft(python, index, folder);
        const environment = { ...pipSettings(index), ...(compiles ? undefined : { PIP_NO_COMPILE: "1" }) };
        return new Installation({ python: [python], environment, prefix, sandbox, folder }, signal);
      },
      tryLock: tryLockFolder,
      log,
      onStep,
    }),
  );
  return { dataDir, renewal, canaries, current, pipeline, folder, lines, stop: () => started.disposeAsync() };
}
