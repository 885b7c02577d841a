/** Measures one conversion by the product and by its rivals in turn, and the best that machine and wire allow. */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { ConvertCase, Target } from "./cases.ts";
import { nowMs, type BenchClient, type FinishedJob } from "../client.ts";
import { loadAverage } from "../machine.ts";
import { median } from "../../measure/percentile.ts";
import { costBetween, costOf, watchMemory } from "../measuring/process-tree.ts";
import type { BenchProduct } from "../product.ts";
import {
  addRound,
  allCpuSeconds,
  emptyResult,
  ratiosOf,
  type CaseResult,
  type Goal,
  type OurFigures,
  type RivalFigures,
} from "../report/results.ts";
import { runRival, type Outcome, type RivalOptions } from "./rivals.ts";
import { chosenBytes, SiteFigures } from "../measuring/site-figures.ts";
import type { ToolPaths } from "../../setup/tools.ts";
import type { TestDevice } from "../../testing/test-device.ts";

export interface Owner {
  readonly device: TestDevice;
  readonly client: BenchClient;
}

/** What all cases use. */
export interface Bench {
  readonly product: BenchProduct;
  readonly owners: { readonly free: Owner; readonly pro: Owner };
  readonly tools: ToolPaths;
  /** Of our server; the limit is what this machine allows with it. */
  readonly ownFfmpegPath: string;
  readonly clips: string;
  /** Of the video site that conversions ask. */
  readonly sitePid: number;
  readonly rivals: RivalOptions;
  /** Origin of the site behind a wire. */
  originBy(wire: string): string;
  /** Speed of the site without a wire. */
  readonly plainBytesPerSecond: number;
  readonly report: (line: string) => void;
  /** Starts a second server with other environment variables. */
  startAnother(env: Readonly<Record<string, string>>): Promise<{ readonly bench: Bench; stop(): Promise<void> }>;
}

const MEGABYTE = 1_000_000;
let serial = 0;

/** @returns a new link to a page, so that no stored file can answer it */
export function freshLink(origin: string, page: string): string {
  serial += 1;
  return `${origin}/watch/${page}?bench=${process.pid}-${serial}`;
}

export async function readSite(bench: Bench, reset = false): Promise<SiteFigures> {
  return SiteFigures.parse(
    await (await fetch(`${bench.originBy("unlimited")}/figures`, { method: reset ? "POST" : "GET" })).json(),
  );
}

/** @returns when the last byte of a finished file was written; undefined when the file is gone */
export async function lastWrittenAtMs(
  { filesFolder }: BenchProduct,
  { job }: FinishedJob,
): Promise<number | undefined> {
  const found = await stat(join(filesFolder, `${job.id}.${job.attempt}.${job.format}`)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return found?.mtimeMs;
}

/** Runs `work` and adds its figures, such as CPU time and memory, to `figures`. */
export async function measureOurs(
  bench: Bench,
  figures: OurFigures,
  work: () => Promise<readonly FinishedJob[]>,
): Promise<{ seconds: number; site: SiteFigures; jobs: readonly FinishedJob[] }> {
  const { pid, treePid, databasePid } = bench.product;
  await readSite(bench, true);
  const readCosts = () => ({
    ours: costOf(treePid, [], pid),
    database: costOf(databasePid),
    site: costOf(bench.sitePid),
  });
  const before = readCosts();
  using memory = watchMemory(pid);
  const startedMs = nowMs();
  const jobs = await work();
  const seconds = (Math.max(...jobs.map(({ completedAtMs }) => completedAtMs)) - startedMs) / 1_000;
  const after = readCosts();
  const cost = costBetween(before.ours, after.ours);
  const site = await readSite(bench);
  for (const job of jobs) {
    const { firstPushMs, takenUpMs, longestSilenceMs, etaErrors } = job.figures;
    figures.firstPushMs.push(firstPushMs);
    if (takenUpMs !== undefined) figures.takenUpMs.push(takenUpMs);
    figures.longestSilenceMs.push(longestSilenceMs);
    figures.etaErrors.push(...etaErrors);
    const writtenAtMs = await lastWrittenAtMs(bench.product, job);
    if (writtenAtMs !== undefined) figures.lastByteToCompletedMs.push(job.completedAtMs - writtenAtMs);
  }
  addRound(figures.cpuSecondsBy, {
    "our process": cost.ownCpuSeconds,
    extractor: cost.extractorCpuSeconds,
    ffmpeg: cost.toolCpuSeconds - cost.extractorCpuSeconds,
    database: costBetween(before.database, after.database).databaseCpuSeconds,
    site: costBetween(before.site, after.site).ownCpuSeconds,
  });
  figures.ownCpuSeconds.push(cost.ownCpuSeconds);
  figures.toolCpuSeconds.push(cost.toolCpuSeconds);
  figures.writtenMegabytes.push(cost.writtenBytes / MEGABYTE);
  figures.peakOwnMegabytes.push(memory.peak.ownBytes / MEGABYTE);
  figures.peakToolMegabytes.push(memory.peak.toolBytes / MEGABYTE);
  return { seconds, site, jobs };
}

export function noRivalFigures(): RivalFigures {
  return { seconds: [], cpuSeconds: [], peakMegabytes: [], writtenMegabytes: [] };
}

export function addOutcome(figures: RivalFigures, { wallSeconds, cost, memory }: Outcome): void {
  figures.seconds.push(wallSeconds);
  figures.cpuSeconds.push(cost.toolCpuSeconds);
  figures.peakMegabytes.push(memory.toolBytes / MEGABYTE);
  figures.writtenMegabytes.push(cost.writtenBytes / MEGABYTE);
}

/** Deletes jobs with their files, so that disk and lists stay small. */
export async function deleteJobs({ device }: Owner, jobs: readonly FinishedJob[]): Promise<void> {
  for (const { job } of jobs) await (await device.call("DELETE", `/api/conversions/${job.id}`)).body?.cancel();
}

export const FFMPEG_QUIET = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"];
/** Arguments of every yt-dlp call. */
const ytDlpArgs = ({ ffmpegPath }: ToolPaths): string[] => [
  "--quiet",
  "--no-warnings",
  `--ffmpeg-location=${ffmpegPath}`,
  "-o",
  "out.%(ext)s",
];

export function ytDlpLine(bench: Bench, args: readonly string[], link: string) {
  return { program: bench.tools.ytDlpPath, args: [...ytDlpArgs(bench.tools), ...args, link] };
}

interface Limits {
  readonly limitSeconds: number;
  readonly downloadSeconds: number;
}

async function limitsOf(bench: Bench, { wire, floorArgs, folder }: ConvertCase, bytes: number): Promise<Limits> {
  const line = {
    program: bench.ownFfmpegPath,
    args: [...FFMPEG_QUIET, ...floorArgs((name) => join(bench.clips, folder, name))],
  };
  const { cost } = await runRival([line], bench.rivals);
  const bytesPerSecond = wire === "unlimited" ? bench.plainBytesPerSecond : (Number(wire) * MEGABYTE) / 8;
  const downloadSeconds = bytes / bytesPerSecond;
  return { downloadSeconds, limitSeconds: Math.max(downloadSeconds, cost.toolCpuSeconds / availableParallelism()) };
}

/**
 * Measures a case.
 * @param earlier result to which the rounds are added
 * @throws Error when a conversion or a rival fails
 */
export async function runConvertCase(
  bench: Bench,
  benchCase: ConvertCase,
  rounds: number,
  earlier?: CaseResult,
): Promise<CaseResult> {
  const { name, page, folder, targets = [] } = benchCase;
  const origin = bench.originBy(benchCase.wire);
  const result: CaseResult = earlier ?? {
    ...emptyResult(benchCase, loadAverage()),
    ytDlp: noRivalFigures(),
    ...(!benchCase.isFfmpegLeftOut && { ffmpeg: noRivalFigures() }),
  };
  let chosen = 0;
  const contestants = [
    async () => {
      chosen = await runOurs(bench, benchCase, result);
    },
    async () => {
      const line = ytDlpLine(bench, benchCase.ytDlpArgs, freshLink(origin, page));
      if (result.ytDlp) addOutcome(result.ytDlp, await runRival([line], bench.rivals));
    },
    async () => {
      if (!result.ffmpeg) return;
      const args = [...FFMPEG_QUIET, ...benchCase.ffmpegArgs((file) => `${origin}/clips/${folder}/${file}`)];
      addOutcome(result.ffmpeg, await runRival([{ program: bench.tools.ffmpegPath, args }], bench.rivals));
    },
  ];
  for (let round = 0; round < rounds; round += 1) {
    // The first of a round finds colder caches, so each contestant is first in turn.
    for (let turn = 0; turn < contestants.length; turn += 1) await contestants[(round + turn) % contestants.length]?.();
    const contestantSeconds = { ours: result.seconds, "yt-dlp": result.ytDlp?.seconds, ffmpeg: result.ffmpeg?.seconds };
    const last = Object.entries(contestantSeconds).flatMap(([who, seconds]) =>
      seconds ? `${who} ${seconds.at(-1)?.toFixed(2)} s` : [],
    );
    bench.report(`${name} ${round + 1}/${rounds}: ${last.join(", ")}`);
  }
  Object.assign(result, await limitsOf(bench, benchCase, chosen));
  return { ...result, goals: targets.flatMap((target) => goalsOf(result, target)) };
}

/**
 * Converts once with the product and adds the figures to `result`.
 * @returns size of the chosen renditions in bytes
 */
async function runOurs(bench: Bench, { page, wire, tier, format }: ConvertCase, result: CaseResult): Promise<number> {
  const origin = bench.originBy(wire);
  const owner = bench.owners[tier];
  const link = freshLink(origin, page);
  const { seconds, site, jobs } = await measureOurs(bench, result.ours, async () => [
    await owner.client.convert(link, format),
  ]);
  result.seconds.push(seconds);
  const chosen = chosenBytes(site);
  const sentBytes = site.renditions.reduce((sum, rendition) => sum + rendition.sentBytes, 0);
  if (chosen > 0) result.ours.fetchedShare.push(sentBytes / chosen);
  const askedAtMs = site.firstAskedAtMs[link.slice(origin.length)];
  if (askedAtMs !== undefined) result.ours.siteAskedMs.push(askedAtMs - (jobs[0]?.postedAtMs ?? askedAtMs));
  await deleteJobs(owner, jobs);
  return chosen;
}

function goalsOf(result: CaseResult, { against, atMost }: Target): Goal[] {
  if (against === "clock")
    return [{ what: "call to `completed`", value: median(result.seconds) * 1_000, atMost, unit: "ms" }];
  if (against === "own CPU")
    return [{ what: "our own CPU time", value: median(result.ours.ownCpuSeconds), atMost, unit: "s" }];
  if (against === "all CPU")
    return [{ what: "CPU time of all processes", value: allCpuSeconds(result.ours), atMost, unit: "s" }];
  const ratios = ratiosOf(result);
  const value = { "yt-dlp": ratios.ytDlp, ffmpeg: ratios.ffmpeg, download: ratios.download, limit: ratios.limit }[
    against
  ];
  return value === undefined ? [] : [{ what: `÷ ${against}`, value, atMost, unit: "×" }];
}
