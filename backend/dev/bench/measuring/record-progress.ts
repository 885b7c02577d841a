/**
 * `node backend/dev/bench/measuring/record-progress.ts`: converts the bench's clips with the real tools and records the
 * calls of the progress reporter with their times. progress-traces.test.ts checks the estimated time left with them.
 */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseHostList } from "../../../../common/hosts.ts";
import { TIERS, type Format, type Tier } from "../../../../common/tiers.ts";
import { convert } from "../../../pipeline/convert.ts";
import { CoreShare } from "../../../pipeline/process/core-share.ts";
import { startEgressGuard } from "../../../pipeline/guard/egress-guard.ts";
import { startExtractorHost } from "../../../pipeline/extractor-host/extractor-host.ts";
import { InProcessHostSemaphore } from "../../../pipeline/fetch/host-semaphore.ts";
import { openJobFolder } from "../../../pipeline/process/job-folder.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "../../../pipeline/pipeline.ts";
import { ProgressReporter } from "../../../pipeline/progress/progress-reporter.ts";
import { openDiskStore } from "../../../storage/disk-store.ts";
import { repositoryDataDir } from "../../repository.ts";
import { prepareClips } from "../../stand-ins/sample-site/clips.ts";
import { prepareToolsOfCheckout } from "../../setup/tools.ts";
import { BENCH_CLIPS } from "../cases/bench-clips.ts";
import { startBenchSite } from "./bench-site.ts";
import { ProgressTraces, type ProgressStep, type ProgressTrace } from "./progress-traces.ts";
import { nowMs } from "../client.ts";
import type { WireName } from "../cases/wires.ts";
import { findScriptRuntime } from "../../../pipeline/process/script-runtime.ts";

interface Recorded {
  readonly page: string;
  readonly format: Format;
  readonly tier: Tier;
  readonly wire: WireName;
}

const mp3 = (page: string, wire: WireName, tier: Tier = "free"): Recorded => ({ page, format: "mp3", tier, wire });
const mp4 = (page: string, wire: WireName, tier: Tier = "free"): Recorded => ({ page, format: "mp4", tier, wire });

const RECORDED: readonly Recorded[] = [
  ...["two-progressive-720", "two-hls", "two-dash", "ten-progressive-720", "ten-hls", "ten-dash"].map((page) =>
    mp3(page, "unlimited"),
  ),
  ...["two-progressive-720", "two-hls", "two-dash", "ten-dash"].map((page) => mp3(page, "20")),
  mp3("ten-hls", "100"),
  mp3("two-hls", "5"),
  mp3("long-progressive", "unlimited", "pro"),
  ...["two-progressive-480", "ten-progressive-480", "two-dash", "ten-dash", "vp9-480", "vp9-short"].map((page) =>
    mp4(page, "unlimited"),
  ),
  mp4("ten-dash", "unlimited", "pro"),
  mp4("ten-progressive-1080", "unlimited", "pro"),
  mp4("vp9-1080", "unlimited", "pro"),
  mp4("ten-dash", "100", "pro"),
  ...["two-dash", "two-progressive-480", "vp9-480"].map((page) => mp4(page, "20")),
];

/** Steps closer together than this are left out. */
const MIN_GAP_MS = 80;

interface Recording {
  readonly steps: ProgressStep[];
  planned?: ProgressTrace["planned"];
}

/** Records the calls of all progress reporters until it is disposed. */
function recordReporters(startedMs: number, recording: Recording): Disposable {
  const { steps } = recording;
  const { prototype } = ProgressReporter;
  // oxlint-disable-next-line typescript/unbound-method -- called with their own object as `this`
  const { expect, report, reportOverlapped } = prototype;
  const add = (step: ProgressStep): void => {
    const before = steps.at(-1);
    const isEdge = before?.stage !== step.stage || step.fraction === 1 || (step.fetched === 1 && before.fetched !== 1);
    if (
      isEdge
        ? before?.stage === step.stage && before.fraction === step.fraction && before.fetched === step.fetched
        : step.atMs - before.atMs < MIN_GAP_MS
    )
      return;
    steps.push(step);
  };
  const round = (fraction: number): number => Math.round(fraction * 10_000) / 10_000;
  const atMs = (): number => Math.round(nowMs() - startedMs);
  prototype.expect = function recorded(this: ProgressReporter, expected) {
    steps.push({ atMs: atMs(), stage: "expect", fraction: 0, ...expected });
    expect.call(this, expected);
  };
  prototype.report = function recorded(this: ProgressReporter, stage, fraction, bytesPerSecond) {
    recording.planned = this.planned;
    add({ atMs: atMs(), stage, fraction: round(fraction) });
    report.call(this, stage, fraction, bytesPerSecond);
  };
  prototype.reportOverlapped = function recorded(this: ProgressReporter, fetched, encoded, bytesPerSecond) {
    add({ atMs: atMs(), stage: "both", fraction: round(encoded), fetched: round(fetched) });
    reportOverlapped.call(this, fetched, encoded, bytesPerSecond);
  };
  return {
    [Symbol.dispose]() {
      Object.assign(prototype, { expect, report, reportOverlapped });
    },
  };
}

const { values: options } = parseArgs({
  options: { case: { type: "string", multiple: true }, out: { type: "string" } },
});
const file = options.out ?? join(import.meta.dirname, "progress-traces.json");
const log = (line: string): void => void process.stderr.write(`${line}\n`);

await using started = new AsyncDisposableStack();
const dataDir = repositoryDataDir();
const tools = await prepareToolsOfCheckout(log);
const site = await startBenchSite(
  await prepareClips({ dataDir, ffmpegPath: tools.ffmpegPath, report: log, collection: BENCH_CLIPS.collection }),
  log,
);
started.defer(() => site.stop());
const root = await mkdtemp(join(tmpdir(), "record-progress-"));
started.defer(() => rm(root, { recursive: true }));
const origins: Readonly<Record<string, string>> = { unlimited: site.origins.unlimited, ...site.origins.shaped };
const videoHosts = parseHostList(
  Object.values(origins)
    .map((origin) => new URL(origin).host)
    .join(","),
);
const guard = await startEgressGuard({ allow: videoHosts });
started.defer(() => guard.stop());
const extractorHost = await startExtractorHost(tools.ytDlpPath, root);
if (!extractorHost) throw new Error("yt-dlp cannot stay loaded on this machine");
started.use(extractorHost);
const pipeline: Pipeline = {
  tools: { ...tools, denoPath: findScriptRuntime() },
  extractorHost,
  cores: new CoreShare(),
  guard,
  videoHosts,
  hostSemaphore: new InProcessHostSemaphore(),
  limits: DEFAULT_PIPELINE_LIMITS,
};
await mkdir(join(root, "jobs"));
const store = await openDiskStore(join(root, "files"));

const known = await readFile(file, "utf8").then(
  (text) => ProgressTraces.parse(JSON.parse(text)),
  () => [],
);
const traces = new Map<string, ProgressTrace>(known.map((trace) => [trace.name, trace]));

async function record({ page, format, tier, wire }: Recorded): Promise<void> {
  const name = `${format} ${page} ${tier}${wire === "unlimited" ? "" : ` @${wire}`}`;
  if (options.case && !options.case.some((part) => name.includes(part))) return;
  const id = `${randomUUID()}.1`;
  await using folder = await openJobFolder(join(root, "jobs"), id);
  const startedMs = nowMs();
  const recording: Recording = { steps: [] };
  using _ = recordReporters(startedMs, recording);
  const listener = {
    metadata: () => undefined,
    thumbnail: () => undefined,
    shortfall: () => undefined,
    progress: () => undefined,
  };
  const made = await convert(
    { url: `${origins[wire]}/watch/${page}`, format, limits: TIERS[tier], folder: folder.path },
    listener,
    pipeline,
    new AbortController().signal,
  );
  await store.put(`${id}.${format}`, made.path);
  const totalMs = Math.round(nowMs() - startedMs);
  await store.remove(`${id}.${format}`);
  const { planned, steps } = recording;
  if (!planned) throw new Error("nothing was reported");
  traces.set(name, { name, planned, totalMs, steps });
  log(`${name}: ${totalMs} ms, ${steps.length} steps`);
}

for (const recorded of RECORDED) {
  // oxlint-disable-next-line no-await-in-loop -- in parallel they would slow down one another
  await record(recorded);
  // After each conversion, because the run may be stopped before its end.
  // oxlint-disable-next-line no-await-in-loop
  await writeFile(file, `[\n${[...traces.values()].map((trace) => JSON.stringify(trace)).join(",\n")}\n]\n`);
}
