/** Measures the guard's conversions and their rivals in turn. */
import { join } from "node:path";
import type { Format } from "../../../../common/tiers.ts";
import { GUARD_SECONDS } from "../cases/bench-clips.ts";
import { deleteJobs, FFMPEG_QUIET, freshLink, readSite, type Bench } from "../cases/convert-case.ts";
import { runRival, type CommandLine } from "../cases/rivals.ts";
import { costBetween, costOf } from "../measuring/process-tree.ts";
import { runFigures, type RunWatch } from "../measuring/run-watch.ts";
import { ratioOf, type GuardFigure } from "./guard-figures.ts";

interface GuardCase {
  readonly name: string;
  readonly page: string;
  readonly format: Format;
  /** Conversions in each round: more of those that are short. */
  readonly times: number;
}

const CASES: readonly GuardCase[] = [
  { name: "MP3, progressive", page: "guard-progressive", format: "mp3", times: 1 },
  { name: "MP3, HLS", page: "guard-hls", format: "mp3", times: 1 },
  { name: "MP4, separate streams", page: "guard-dash", format: "mp4", times: 2 },
];

interface CaseRounds {
  readonly toolCpuSeconds: number[];
  readonly quietMs: number[];
  readonly twoCoresMs: number[];
  readonly requests: number[];
  readonly writtenMegabytes: number[];
}

const noRounds = (): CaseRounds => ({
  toolCpuSeconds: [],
  quietMs: [],
  twoCoresMs: [],
  requests: [],
  writtenMegabytes: [],
});

/** All rounds so far. */
export class GuardRounds {
  readonly #raw = {
    cases: CASES.map(noRounds),
    ownCpuSeconds: [] as number[],
    ffmpegCpuSeconds: [] as number[],
    nodeCpuSeconds: [] as number[],
  };
  readonly #bench: Bench;
  readonly #watch: RunWatch;

  constructor(bench: Bench, watch: RunWatch) {
    this.#bench = bench;
    this.#watch = watch;
  }

  async measure(): Promise<void> {
    const { pid, treePid } = this.#bench.product;
    const before = costOf(treePid, [], pid);
    for (const [index, guardCase] of CASES.entries())
      for (let time = 0; time < guardCase.times; time += 1)
        await this.#convert(guardCase, this.#raw.cases[index] ?? noRounds());
    this.#raw.ownCpuSeconds.push(costBetween(before, costOf(treePid, [], pid)).ownCpuSeconds);
    this.#raw.ffmpegCpuSeconds.push(await this.#runRival([0, 1].map((half) => this.#encodeHalf(half))));
    const node = { program: process.execPath, args: [join(import.meta.dirname, "plain-work.ts")] };
    this.#raw.nodeCpuSeconds.push(await this.#runRival([node]));
  }

  figures(): GuardFigure[] {
    const least = (values: readonly number[]): number => Math.min(...values);
    const { ffmpegCpuSeconds, nodeCpuSeconds, ownCpuSeconds } = this.#raw;
    const ofCases = CASES.flatMap(({ name, format }, index): GuardFigure[] => {
      const rounds = this.#raw.cases[index] ?? noRounds();
      const [rival, rivalSeconds, unit] =
        format === "mp3"
          ? (["ffmpeg", ffmpegCpuSeconds, "encoder CPU ÷"] as const)
          : (["plain Node", nodeCpuSeconds, "CPU ÷"] as const);
      const wholeSeconds = rounds.twoCoresMs.map((ms) => ms / 1_000);
      return [
        { name: `${name}: tools and ${rival}`, unit, value: ratioOf(rounds.toolCpuSeconds, rivalSeconds) },
        { name: `${name}: whole and ${rival}`, unit: "time ÷", value: ratioOf(wholeSeconds, rivalSeconds) },
        { name, unit: "quiet ms", value: least(rounds.quietMs) },
        { name: `${name}: requests to the site`, unit: "count", value: least(rounds.requests) },
        { name: `${name}: written to disk`, unit: "megabytes", value: least(rounds.writtenMegabytes) },
      ];
    });
    const own = ratioOf(ownCpuSeconds, nodeCpuSeconds);
    return [...ofCases, { name: "the server's own process and plain Node", unit: "own CPU ÷", value: own }];
  }

  async #convert({ page, format }: GuardCase, into: CaseRounds): Promise<void> {
    const bench = this.#bench;
    const { pid, treePid } = bench.product;
    const owner = bench.owners.free;
    await readSite(bench, true);
    const before = costOf(treePid, [], pid);
    const job = await owner.client.convert(freshLink(bench.originBy("unlimited"), page), format);
    const cost = costBetween(before, costOf(treePid, [], pid));
    const samples = await this.#watch.since(job.postedAtMs);
    const { quietMs, twoCoresMs } = runFigures(samples, job.postedAtMs, job.completedAtMs);
    const { requests } = await readSite(bench);
    into.toolCpuSeconds.push(cost.toolCpuSeconds);
    into.quietMs.push(quietMs);
    into.twoCoresMs.push(twoCoresMs);
    into.requests.push(requests);
    into.writtenMegabytes.push(cost.writtenBytes / 1e6);
    await deleteJobs(owner, [job]);
  }

  /** Two halves at a time, because the product's encoders also run two at a time and share the processor's caches. */
  #encodeHalf(half: number): CommandLine {
    const { tools, clips } = this.#bench;
    const seconds = GUARD_SECONDS / 2;
    const part = ["-ss", String(half * seconds), "-t", String(seconds)];
    const source = join(clips, "guard", "video-480.mp4");
    const encode = ["-vn", "-c:a", "libmp3lame", "-b:a", "128k", "out.mp3"];
    return { program: tools.ffmpegPath, args: [...FFMPEG_QUIET, ...part, "-i", source, ...encode] };
  }

  async #runRival(lines: readonly CommandLine[]): Promise<number> {
    const { scratch, leftOut } = this.#bench.rivals;
    const options = { scratch, leftOut: [...leftOut, this.#watch.pid], atATime: lines.length };
    return (await runRival(lines, options)).cost.toolCpuSeconds;
  }
}
