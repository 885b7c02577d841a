/** A renewal of yt-dlp for a test: real Python, venv and pip, with an index in a folder. */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { parseHostEntry } from "../../../common/hosts.ts";
import { Canaries, type CanaryOptions } from "../../extractor/canary.ts";
import { ExtractorFolder } from "../../extractor/extractor-folder.ts";
import { PresentExtractor } from "../../extractor/present-extractor.ts";
import { parseRelease } from "../../extractor/releases.ts";
import { Renewal, type RenewalStep } from "../../extractor/renewal.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "../../pipeline/pipeline.ts";
import { tryLockFolder } from "../../runtime/folder-lock.ts";

const SCRIPT = path.join(import.meta.dirname, "yt_dlp_wheels.py");

export const RenewalOrder = z.object({
  dataDir: z.string(),
  firstPath: z.string(),
  python: z.string(),
  /** Folder of wheels. */
  index: z.string(),
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
}

/** @param args see yt_dlp_wheels.py */
export async function makeYtDlp(python: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(python, ["-I", SCRIPT, ...args]);
}

export async function openTestRenewal(options: TestRenewalOptions) {
  const { dataDir, firstPath, python, index, release = "stable", prefix, site, onStep, links = [], count } = options;
  await mkdir(dataDir, { recursive: true });
  const started = new AsyncDisposableStack();
  const lines: string[] = [];
  const folder = new ExtractorFolder(path.join(dataDir, "extractor"));
  const keep = (line: string): void => {
    lines.push(line);
  };
  const log = { info: keep, warn: keep };
  const isPinned = release.startsWith("pinned");
  const present = started.use(await PresentExtractor.open({ firstPath, dataDir, folder, isPinned, log }));
  const guard = started.use(await startEgressGuard({ allow: site === undefined ? [] : [parseHostEntry(site)] }));
  const pipeline: Pipeline = {
    tools: { ytDlpPath: firstPath, ffmpegPath: "", ffprobePath: "", nodePath: process.execPath },
    guard,
    videoHosts: [],
    limits: DEFAULT_PIPELINE_LIMITS,
    extractors: present,
  };
  const renewal = started.use(
    new Renewal({
      release: parseRelease(release),
      folder,
      present,
      canaries: new Canaries({ pipeline, links, count }),
      installation: { python: [python], pipArgs: ["--no-index", `--find-links=${index}`], prefix },
      tryLock: tryLockFolder,
      log,
      onStep,
    }),
  );
  return { renewal, present, pipeline, folder, lines, stop: () => started.disposeAsync() };
}
