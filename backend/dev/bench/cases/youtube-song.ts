/**
 * Songs of four minutes from a YouTube-shaped site, one alone or a batch: time, CPU time and requests, beside yt-dlp with
 * a warm cache.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../../measure/percentile.ts";
import { repositoryDataDir } from "../../repository.ts";
import { loadAverage } from "../machine.ts";
import { songSteps } from "../measuring/song-steps.ts";
import { RequestsByExit, YouTubeOrder } from "../measuring/youtube-process.ts";
import { addRound, emptyResult, ratiosOf, type CaseResult, type Goal, type RivalFigures } from "../report/results.ts";
import type { SpecialCase } from "./cases.ts";
import {
  addOutcome,
  deleteJobs,
  lastWrittenAtMs,
  measureOurs,
  noRivalFigures,
  ytDlpLine,
  type Bench,
} from "./convert-case.ts";
import { runRival, type CommandLine } from "./rivals.ts";

const SONG_SECONDS = 240;
/** Ratio of our time to yt-dlp's. */
const TIME_GOAL = { alone: 0.4, batch: 0.7 } as const;
/** CPU seconds of the server's process for a song of a batch. */
const OWN_CPU_GOAL = 0.25;
/** Command lines of yt-dlp in parallel, beside a batch. */
const AT_A_TIME = 3;
/** Any fewer than yt-dlp makes. */
const REQUESTS_GOAL = 0.99;

type Contestant = "ours" | "ytDlp";

let serial = 0;

/** @returns a link of its own, so that no stored file can answer it */
function freshSong(): string {
  serial += 1;
  return `https://www.youtube.com/watch?v=plain-${String(serial).padStart(5, "0")}`;
}

class YouTubeProcess implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly about: ReturnType<typeof YouTubeOrder.parse>;

  private constructor(site: ChildProcess, about: ReturnType<typeof YouTubeOrder.parse>) {
    this.#process = site;
    this.about = about;
  }

  static async start({ tools }: Bench): Promise<YouTubeProcess> {
    const program = join(import.meta.dirname, "..", "measuring", "youtube-process.ts");
    const site = fork(program, [repositoryDataDir(), tools.ffmpegPath, `${SONG_SECONDS}`]);
    const [message] = (await once(site, "message")) as [unknown];
    return new YouTubeProcess(site, YouTubeOrder.parse(message));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** @returns the requests since the last call */
  async requests(): Promise<ReturnType<typeof RequestsByExit.parse>> {
    const answered = once(this.#process, "message");
    this.#process.send("requests");
    const [requests] = (await answered) as [unknown];
    return RequestsByExit.parse(requests);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.disconnect();
    await exited;
  }
}

/** Measures our conversions and yt-dlp's on one site. Each round converts all songs. */
class SongRounds {
  readonly result: CaseResult & { readonly ytDlp: RivalFigures };
  readonly requests: Record<Contestant, number[]> = { ours: [], ytDlp: [] };
  readonly #bench: Bench;
  readonly #site: YouTubeProcess;
  readonly #caFile: string;
  readonly #songCount: number;

  constructor(bench: Bench, benchCase: SpecialCase, site: YouTubeProcess, caFile: string) {
    this.#songCount = benchCase.count ?? 1;
    const leftOut = [...bench.rivals.leftOut, site.pid];
    this.#bench = { ...bench, sitePid: site.pid, rivals: { ...bench.rivals, leftOut } };
    this.#site = site;
    this.#caFile = caFile;
    this.result = { ...emptyResult(benchCase, loadAverage()), ytDlp: noRivalFigures() };
  }

  async ours(): Promise<void> {
    const { pro } = this.#bench.owners;
    const songs = Array.from({ length: this.#songCount }, freshSong);
    const { seconds, jobs } = await measureOurs(this.#bench, this.result.ours, () =>
      songs.length === 1
        ? Promise.all(songs.map((song) => pro.client.convert(song, "mp3")))
        : pro.client.convertBatch(songs, "mp3"),
    );
    this.result.seconds.push(seconds);
    const requests = (await this.#site.requests()).ours;
    this.requests.ours.push(requests.length);
    const [job, ...others] = jobs;
    const writtenAtMs = job && (await lastWrittenAtMs(this.#bench.product, job));
    if (job && writtenAtMs !== undefined && others.length === 0)
      addRound(this.result.stepSeconds, songSteps(requests, { ...job, writtenAtMs }));
    await deleteJobs(pro, jobs);
  }

  async ytDlp(): Promise<void> {
    const lines = Array.from({ length: this.#songCount }, () => this.rivalLine());
    addOutcome(this.result.ytDlp, await runRival(lines, { ...this.#bench.rivals, atATime: AT_A_TIME }));
    this.requests.ytDlp.push((await this.#site.requests()).ytDlp.length);
  }

  rivalLine(): CommandLine {
    const { scratch } = this.#bench.rivals;
    const args = [
      "-x",
      "--audio-format=mp3",
      "--audio-quality=320K",
      `--proxy=${this.#site.about.proxies.ytDlp}`,
      `--js-runtimes=node:${process.execPath}`,
      `--cache-dir=${join(scratch, "yt-dlp-cache")}`,
      "--compat-options=no-certifi",
    ];
    return { ...ytDlpLine(this.#bench, args, freshSong()), env: { SSL_CERT_FILE: this.#caFile } };
  }
}

function goalsOf({ result, requests }: SongRounds, songCount: number): Goal[] {
  const against = ratiosOf(result).ytDlp ?? Infinity;
  const fewer = median(requests.ours) / median(requests.ytDlp);
  const ownCpu = median(result.ours.ownCpuSeconds) / songCount;
  return [
    { what: "÷ yt-dlp", value: against, atMost: songCount === 1 ? TIME_GOAL.alone : TIME_GOAL.batch, unit: "×" },
    { what: "requests ÷ yt-dlp", value: fewer, atMost: REQUESTS_GOAL, unit: "×" },
    ...(songCount === 1
      ? []
      : [{ what: "our own CPU time a song", value: ownCpu, atMost: OWN_CPU_GOAL, unit: "s" } as const]),
  ];
}

export async function runYouTubeSong(bench: Bench, benchCase: SpecialCase, rounds: number): Promise<CaseResult> {
  await using site = await YouTubeProcess.start(bench);
  const caFile = join(bench.rivals.scratch, "youtube.pem");
  await writeFile(caFile, site.about.certificate);
  const another = await bench.startAnother({
    YOUTUBE_EXITS: site.about.proxies.ours,
    NODE_EXTRA_CA_CERTS: caFile,
    VIDEO_HOSTS: `${new URL(bench.originBy("unlimited")).host},youtube.com`,
  });
  try {
    const song = new SongRounds(another.bench, benchCase, site, caFile);
    await runRival([song.rivalLine()], bench.rivals);
    await site.requests();
    const contestants = [() => song.ours(), () => song.ytDlp()];
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < contestants.length; turn += 1) await contestants[(round + turn) % 2]?.();
      const { result, requests: made } = song;
      const inSeconds = `ours ${result.seconds.at(-1)?.toFixed(2)} s, yt-dlp ${result.ytDlp.seconds.at(-1)?.toFixed(2)} s`;
      const requests = `${made.ours.at(-1)} and ${made.ytDlp.at(-1)} requests`;
      bench.report(`${benchCase.name} ${round + 1}/${rounds}: ${inSeconds}, ${requests}`);
    }
    return { ...song.result, goals: goalsOf(song, benchCase.count ?? 1) };
  } finally {
    await another.stop();
  }
}
