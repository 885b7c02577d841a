/** The sample site and a pipeline that reaches it with the real tools, opened once for a test file. */
import { readFileSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import { parseHostList } from "../../../common/hosts.ts";
import { TIERS, type Format, type TierLimits } from "../../../common/tiers.ts";
import type { BlockList } from "../../domain/blocks/block-list.ts";
import type { ConvertListener } from "../../pipeline/convert.ts";
import { InProcessHostSemaphore } from "../../pipeline/fetch/host-semaphore.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { openJobFolder } from "../../pipeline/process/job-folder.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";
import { repositoryDataDir } from "../repository.ts";
import { startSampleSite, type PageName, type SampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { PATIENT_LIMITS } from "./patient-limits.ts";
import { startTestExtractor } from "./test-extractor.ts";
import { testFolder } from "./test-folder.ts";
import { openTestSandbox } from "./test-sandbox.ts";
import { convertAsTold, type MadeFile } from "./told-findings.ts";

export interface SampleConversion {
  readonly page: PageName;
  readonly format: Format;
  readonly choices?: ConversionChoices;
  /** Default: of the free plan. */
  readonly limits?: TierLimits;
  readonly signal?: AbortSignal | undefined;
  readonly listener?: Partial<ConvertListener>;
  /** What differs from the pipeline of the file. */
  readonly pipeline?: Partial<Pipeline>;
  /** Checks the result before its folder is removed. */
  readonly check?: (file: MadeFile) => Promise<void> | void;
}

export interface SamplePipeline extends AsyncDisposable {
  readonly site: SampleSite;
  /** Keeps yt-dlp loaded, as a server does. */
  readonly pipeline: Pipeline;
  /** Folders of all conversions are in it. */
  readonly folder: string;
  /**
   * Converts a page in a folder of its own. Checks that it leaves no process and no file, and that it did not contact
   * the private target.
   */
  readonly convert: (conversion: SampleConversion) => Promise<MadeFile>;
}

function ignore(): void {}
const IGNORING: ConvertListener = { found: ignore, progress: ignore };

/** @returns command lines of running processes that name a folder */
function toolsRunning(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch (error) {
        if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
        throw error;
      }
    })
    .filter((commandLine) => commandLine.includes(folder));
}

/** @param blocks hosts that the guard refuses, and channels that are not converted */
export async function samplePipeline({ blocks }: { readonly blocks?: BlockList } = {}): Promise<SamplePipeline> {
  await using opened = new AsyncDisposableStack();
  const tools = inject("toolPaths");
  const folder = await testFolder();
  const site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath: tools.ffmpegPath, report: ignore });
  opened.defer(() => site.stop());
  const videoHosts = parseHostList(site.host);
  const refusesHost = blocks && ((host: string): boolean => blocks.refusesHost(host));
  const pipeline: Pipeline = {
    tools: { ...tools, denoPath: findScriptRuntime() },
    sandbox: await openTestSandbox(),
    guard: opened.use(await startEgressGuard({ allow: videoHosts, refusesHost })),
    extractorHost: opened.use(await startTestExtractor(folder)),
    videoHosts,
    blocks,
    hostSemaphore: new InProcessHostSemaphore(),
    limits: PATIENT_LIMITS,
  };
  async function convertIn(id: string, conversion: SampleConversion): Promise<MadeFile> {
    const { page, format, choices, limits = TIERS.free, signal, listener, pipeline: other, check } = conversion;
    await using own = await openJobFolder(folder, id);
    const request = { url: site.urlOf(page), format, choices, limits, folder: own.path };
    const about = { ...IGNORING, ...listener };
    const file = await convertAsTold({
      request,
      listener: about,
      pipeline: { ...pipeline, ...other },
      signal: signal ?? new AbortController().signal,
    });
    await check?.(file);
    return file;
  }
  let conversions = 0;
  const rest = opened.move();
  return {
    site,
    pipeline,
    folder,
    async convert(conversion) {
      conversions += 1;
      // All of one length, so that none is the beginning of another.
      const id = `job-${String(conversions).padStart(4, "0")}`;
      try {
        return await convertIn(id, conversion);
      } finally {
        expect(toolsRunning(join(folder, id))).toEqual([]);
        expect(await readdir(folder)).not.toContain(id);
        expect(site.privateTarget.contacts).toBe(0);
      }
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
