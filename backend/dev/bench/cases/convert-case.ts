/** One conversion by us and by its rivals, in turn, and what the machine and the wire would allow at best. */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { ConvertCase } from "./cases.ts";
import { nowMs, type BenchClient, type FinishedJob } from "../client.ts";
import { loadAverage } from "../machine.ts";
import { costBetween, costOf, watchMemory } from "../measuring/process-tree.ts";
import type { Product } from "../product.ts";
import {
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

/** Everything that cases are run with. */
export interface Bench {
  readonly product: Product;
  readonly owners: { readonly free: Owner; readonly pro: Owner };
  readonly tools: ToolPaths;
  readonly clips: string;
  /** How rivals are run. */
  readonly rivals: RivalOptions;
  /** The site by this wire. */
  originBy(wire: string): string;
  /** Of the site itself, not limited by any wire. */
  readonly plainBytesPerSecond: number;
  readonly report: (line: string) => void;
  /** The same with a server of its own, set up otherwise. */
  startAnother(env: Readonly<Record<string, string>>): Promise<{ readonly bench: Bench; stop(): Promise<void> }>;
}

const MEGABYTE = 1_000_000;
let serial = 0;

/** A link that nobody has asked for yet. */
export function freshLink(origin: string, page: string): string {
  serial += 1;
  return `${origin}/watch/${page}?bench=${process.pid}-${serial}`;
}

export async function readSite(bench: Bench, reset = false): Promise<SiteFigures> {
  return SiteFigures.parse(
    await (await fetch(`${bench.originBy("unlimited")}/figures`, { method: reset ? "POST" : "GET" })).json(),
  );
}

/** When the last byte was written to a finished file, if it still lies where it was stored. */
async function lastWrittenAtMs({ filesFolder }: Product, { job }: FinishedJob): Promise<number | undefined> {
  const found = await stat(join(filesFolder, `${job.id}.${job.attempt}.${job.format}`)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return found?.mtimeMs;
}

/** Runs `work` and notes beside its time what it cost us. */
export async function measureOurs(
  bench: Bench,
  figures: OurFigures,
  work: () => Promise<readonly FinishedJob[]>,
): Promise<{ seconds: number; site: SiteFigures; jobs: readonly FinishedJob[] }> {
  const { pid } = bench.product;
  await readSite(bench, true);
  const before = costOf(pid);
  using memory = watchMemory(pid);
  const startedMs = nowMs();
  const jobs = await work();
  const seconds = (Math.max(...jobs.map(({ completedAtMs }) => completedAtMs)) - startedMs) / 1_000;
  const cost = costBetween(before, costOf(pid));
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

/** So that disk and lists stay small from round to round. */
export async function forget({ device }: Owner, jobs: readonly FinishedJob[]): Promise<void> {
  for (const { job } of jobs) await (await device.call("DELETE", `/api/conversions/${job.id}`)).body?.cancel();
}

export const FFMPEG_QUIET = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"];
/** What a person sets up once; the same programs as ours. */
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
    program: bench.tools.ffmpegPath,
    args: [...FFMPEG_QUIET, ...floorArgs((name) => join(bench.clips, folder, name))],
  };
  const { cost } = await runRival([line], bench.rivals);
  const bytesPerSecond = wire === "unlimited" ? bench.plainBytesPerSecond : (Number(wire) * MEGABYTE) / 8;
  const downloadSeconds = bytes / bytesPerSecond;
  return { downloadSeconds, limitSeconds: Math.max(downloadSeconds, cost.toolCpuSeconds / availableParallelism()) };
}

/** Appends rounds to what an earlier call has measured, if anything. @throws Error when anybody fails */
export async function runConvertCase(
  bench: Bench,
  benchCase: ConvertCase,
  rounds: number,
  earlier?: CaseResult,
): Promise<CaseResult> {
  const { name, wire, page, tier, format, folder, target } = benchCase;
  const origin = bench.originBy(wire);
  const owner = bench.owners[tier];
  const result: CaseResult = earlier ?? {
    ...emptyResult(benchCase, loadAverage()),
    ytDlp: noRivalFigures(),
    ...(benchCase.isFfmpegLeftOut ? {} : { ffmpeg: noRivalFigures() }),
  };
  let chosen = 0;
  const contestants = [
    async () => {
      const link = freshLink(origin, page);
      const { seconds, site, jobs } = await measureOurs(bench, result.ours, async () => [
        await owner.client.convert(link, format),
      ]);
      result.seconds.push(seconds);
      chosen = chosenBytes(site);
      if (chosen > 0)
        result.ours.fetchedShare.push(site.renditions.reduce((sum, { sentBytes }) => sum + sentBytes, 0) / chosen);
      const askedAtMs = site.firstAskedAtMs[link.slice(origin.length)];
      if (askedAtMs !== undefined) result.ours.siteAskedMs.push(askedAtMs - (jobs[0]?.postedAtMs ?? askedAtMs));
      await forget(owner, jobs);
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
    // Whoever comes first finds colder caches; everybody does in turn.
    for (let turn = 0; turn < contestants.length; turn += 1) await contestants[(round + turn) % contestants.length]?.();
    const contestantSeconds = { ours: result.seconds, "yt-dlp": result.ytDlp?.seconds, ffmpeg: result.ffmpeg?.seconds };
    const last = Object.entries(contestantSeconds).flatMap(([who, seconds]) =>
      seconds ? `${who} ${seconds.at(-1)?.toFixed(2)} s` : [],
    );
    bench.report(`${name} ${round + 1}/${rounds}: ${last.join(", ")}`);
  }
  Object.assign(result, await limitsOf(bench, benchCase, chosen));
  return { ...result, goals: target ? goalsOf(result, target) : [] };
}

function goalsOf(result: CaseResult, { against, atMost }: NonNullable<ConvertCase["target"]>): Goal[] {
  const ratios = ratiosOf(result);
  const value = { "yt-dlp": ratios.ytDlp, ffmpeg: ratios.ffmpeg, download: ratios.download }[against];
  return value === undefined ? [] : [{ what: `÷ ${against}`, value, atMost, unit: "×" }];
}
