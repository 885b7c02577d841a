/** Cases of several conversions: a batch, the same link again, many owners at once, twenty in parallel. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Format } from "../../../../common/tiers.ts";
import { median, percentile } from "../../measure/percentile.ts";
import { openClient, type FinishedJob } from "../client.ts";
import type { SpecialCase } from "./cases.ts";
import { loadAverage } from "../machine.ts";
import {
  addOutcome,
  FFMPEG_QUIET,
  deleteJobs,
  freshLink,
  measureOurs,
  noRivalFigures,
  ytDlpLine,
  type Bench,
  type Owner,
} from "./convert-case.ts";
import { allCpuSeconds, emptyResult, ratiosOf, type CaseResult, type Goal } from "../report/results.ts";
import { runRival, type CommandLine } from "./rivals.ts";
import { runYouTubeSong } from "./youtube-song.ts";

const BATCH = 20;
const BATCH_PAGE = "ten-progressive-720";
const MP3_320 = ["-x", "--audio-format", "mp3", "--audio-quality", "320K"];
/** Command lines in parallel: one for each of two cores. */
const AT_A_TIME = 2;
/** CPU seconds are of one job. */
const BATCH_GOALS = { ytDlp: 0.76, limit: 1.08, ownCpuSeconds: 0.6, allCpuSeconds: 8.2 } as const;
const REPEATS = 50;
const REPEAT_GOAL_MS = 100;
const OWNERS = 10;
const MEMORY_GOAL_MB = 400;

export function runSpecialCase(bench: Bench, benchCase: SpecialCase, rounds: number): Promise<CaseResult> {
  switch (benchCase.kind) {
    case "batch":
      return runBatch(bench, benchCase, rounds);
    case "repeat":
      return runRepeats(bench, benchCase);
    case "mixed":
      return runMixed(bench, benchCase, rounds);
    case "memory":
      return runParallel(bench, benchCase, rounds);
    case "youtube":
    case "songs":
      return runYouTubeSong(bench, benchCase, rounds);
  }
}

const links = (bench: Bench, page: string, count: number): string[] =>
  Array.from({ length: count }, () => freshLink(bench.originBy("unlimited"), page));

async function runBatch(bench: Bench, benchCase: SpecialCase, rounds: number): Promise<CaseResult> {
  const result: CaseResult = { ...emptyResult(benchCase, loadAverage()), ytDlp: noRivalFigures() };
  const { pro } = bench.owners;
  const contestants = [
    async () => {
      const { seconds, jobs } = await measureOurs(bench, result.ours, () =>
        pro.client.convertBatch(links(bench, BATCH_PAGE, BATCH), "mp3"),
      );
      result.seconds.push(seconds);
      await deleteJobs(pro, jobs);
    },
    async () => {
      const lines = links(bench, BATCH_PAGE, BATCH).map((link) => ytDlpLine(bench, MP3_320, link));
      if (result.ytDlp) addOutcome(result.ytDlp, await runRival(lines, { ...bench.rivals, atATime: AT_A_TIME }));
    },
  ];
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) await contestants[(round + turn) % contestants.length]?.();
    const ours = result.seconds.at(-1)?.toFixed(1);
    const ytDlp = result.ytDlp?.seconds.at(-1)?.toFixed(1);
    bench.report(`${benchCase.name} ${round + 1}/${rounds}: ours ${ours} s, yt-dlp ${ytDlp} s`);
  }
  const source = join(bench.clips, "ten", "video-720.mp4");
  const toMp3 = ["-vn", "-c:a", "libmp3lame", "-b:a", "320k", "out.mp3"];
  const encode = { program: bench.ownFfmpegPath, args: [...FFMPEG_QUIET, "-i", source, ...toMp3] };
  const { cost } = await runRival([encode], bench.rivals);
  result.limitSeconds = (BATCH * cost.toolCpuSeconds) / availableParallelism();
  const { ytDlp = Infinity, limit = Infinity } = ratiosOf(result);
  const goals: Goal[] = [
    { what: "÷ yt-dlp", value: ytDlp, atMost: BATCH_GOALS.ytDlp, unit: "×" },
    { what: "÷ limit", value: limit, atMost: BATCH_GOALS.limit, unit: "×" },
    {
      what: "our own CPU time a job",
      value: median(result.ours.ownCpuSeconds) / BATCH,
      atMost: BATCH_GOALS.ownCpuSeconds,
      unit: "s",
    },
    {
      what: "CPU time of all processes a job",
      value: allCpuSeconds(result.ours) / BATCH,
      atMost: BATCH_GOALS.allCpuSeconds,
      unit: "s",
    },
  ];
  return { ...result, goals };
}

/** Converts the same link again and again, alternately for its first owner and for another. */
async function runRepeats(bench: Bench, benchCase: SpecialCase): Promise<CaseResult> {
  const result = emptyResult(benchCase, loadAverage());
  const { free } = bench.owners;
  const other = await openOwner(bench);
  const link = freshLink(bench.originBy("unlimited"), "brief-progressive");
  const first = await free.client.convert(link, "mp3");
  const made: [Owner, FinishedJob][] = [[free, first]];
  await measureOurs(bench, result.ours, async () => {
    for (let n = 0; n < REPEATS; n += 1) {
      const owner = n % 2 === 0 ? free : other;
      const job = await owner.client.convert(link, "mp3");
      result.seconds.push(job.figures.wallMs / 1_000);
      made.push([owner, job]);
    }
    return made.slice(1).map(([, job]) => job);
  });
  for (const [owner, job] of made) await deleteJobs(owner, [job]);
  // No file is written in this case, so the figure has no meaning.
  result.ours.lastByteToCompletedMs = [];
  const p99Ms = percentile(result.seconds, 99) * 1_000;
  bench.report(
    `${benchCase.name}: p50 ${(percentile(result.seconds, 50) * 1_000).toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  );
  return { ...result, goals: [{ what: `p99 of ${REPEATS}`, value: p99Ms, atMost: REPEAT_GOAL_MS, unit: "ms" }] };
}

async function openOwner({ product }: Bench): Promise<Owner> {
  const device = await product.newVisitor();
  return { device, client: await openClient(device) };
}

/** Ten jobs of one owner: six MP3, three MP4 without encoding, one MP4 with encoding. */
const MIX: readonly { readonly page: string; readonly format: Format; readonly ytDlp: readonly string[] }[] = [
  ...Array.from(
    { length: 6 },
    () =>
      ({
        page: "brief-progressive",
        format: "mp3",
        ytDlp: ["-x", "--audio-format", "mp3", "--audio-quality", "128K"],
      }) as const,
  ),
  ...Array.from(
    { length: 3 },
    () => ({ page: "brief-progressive", format: "mp4", ytDlp: ["--merge-output-format", "mp4"] }) as const,
  ),
  { page: "vp9-short", format: "mp4", ytDlp: ["--recode-video", "mp4"] },
];

async function runMixed(bench: Bench, benchCase: SpecialCase, rounds: number): Promise<CaseResult> {
  const result: CaseResult = { ...emptyResult(benchCase, loadAverage()), ytDlp: noRivalFigures() };
  const owners = await Promise.all(Array.from({ length: OWNERS }, () => openOwner(bench)));
  const fairness: number[] = [];
  const contestants = [
    async () => {
      fairness.push(await runMixOfOwners(bench, owners, result));
    },
    async () => {
      if (!result.ytDlp || result.ytDlp.seconds.length >= (benchCase.mostRivalRounds ?? Infinity)) return;
      const lines: CommandLine[] = owners.flatMap(() =>
        MIX.map(({ page, ytDlp }) => ytDlpLine(bench, ytDlp, freshLink(bench.originBy("unlimited"), page))),
      );
      addOutcome(result.ytDlp, await runRival(lines, { ...bench.rivals, atATime: AT_A_TIME }));
    },
  ];
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) await contestants[(round + turn) % contestants.length]?.();
    const ours = result.seconds.at(-1)?.toFixed(1);
    const ytDlp = result.ytDlp?.seconds.at(-1)?.toFixed(1);
    bench.report(
      `${benchCase.name} ${round + 1}/${rounds}: ours ${ours} s (the last owner waited ` +
        `${fairness.at(-1)?.toFixed(2)} times as long as the first), yt-dlp ${ytDlp} s`,
    );
  }
  return result;
}

/**
 * Converts the mix of all owners at once and adds the figures to `result`.
 * @returns time of the owner who finished last, divided by that of the first
 */
async function runMixOfOwners(bench: Bench, owners: readonly Owner[], result: CaseResult): Promise<number> {
  const origin = bench.originBy("unlimited");
  let byOwner: FinishedJob[][] = [];
  const { seconds } = await measureOurs(bench, result.ours, async () => {
    byOwner = await Promise.all(
      owners.map(({ client }) =>
        Promise.all(MIX.map(({ page, format }) => client.convert(freshLink(origin, page), format))),
      ),
    );
    return byOwner.flat();
  });
  result.seconds.push(seconds);
  for (const [index, owner] of owners.entries()) await deleteJobs(owner, byOwner[index] ?? []);
  const ends = byOwner.map((jobs) => Math.max(...jobs.map(({ figures }) => figures.wallMs)));
  return Math.max(...ends) / Math.min(...ends);
}

/** Runs all jobs of a batch in parallel, on a second server with enough worker slots. */
async function runParallel(bench: Bench, benchCase: SpecialCase, rounds: number): Promise<CaseResult> {
  const result = emptyResult(benchCase, loadAverage());
  const another = await bench.startAnother({ WORKER_CONCURRENCY: String(BATCH) });
  try {
    const { bench: wide } = another;
    const { pro } = wide.owners;
    for (let round = 0; round < rounds; round += 1) {
      const { seconds, jobs } = await measureOurs(wide, result.ours, () =>
        pro.client.convertBatch(links(wide, BATCH_PAGE, BATCH), "mp3"),
      );
      result.seconds.push(seconds);
      await deleteJobs(pro, jobs);
      const ownMb = result.ours.peakOwnMegabytes.at(-1)?.toFixed(0);
      bench.report(`${benchCase.name} ${round + 1}/${rounds}: ${seconds.toFixed(1)} s, ${ownMb} MB of our own`);
    }
  } finally {
    await another.stop();
  }
  const peakMegabytes = Math.max(...result.ours.peakOwnMegabytes);
  return { ...result, goals: [{ what: "our own memory", value: peakMegabytes, atMost: MEMORY_GOAL_MB, unit: "MB" }] };
}
