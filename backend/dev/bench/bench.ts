/**
 * `npm run bench`: measures how long conversions take, compared with yt-dlp and ffmpeg on the command line and with the
 * best that this machine allows. README.md in this folder explains the figures.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY_ROOT } from "../repository.ts";
import { BENCH_CLIPS, GUARD_CLIPS, type BenchClips } from "./cases/bench-clips.ts";
import { CASES, chooseCases, type BenchCase } from "./cases/cases.ts";
import { findRegressions, MAX_SLOWDOWN, type Regression } from "./report/comparison.ts";
import { runConvertCase, type Bench } from "./cases/convert-case.ts";
import { describeMachine } from "./machine.ts";
import { openBench } from "./open-bench.ts";
import { withCosts, withFigures, withSummary } from "./report/readme-figures.ts";
import { Kept, keptText, withKept, type CaseResult, type RunResult } from "./report/results.ts";
import { runSpecialCase } from "./cases/special-cases.ts";
import { report as renderReport } from "./report/table.ts";

const KEPT_FILE = join(import.meta.dirname, "kept.json");
const README_FILE = join(REPOSITORY_ROOT, "README.md");
const OWN_README_FILE = join(import.meta.dirname, "README.md");
const ROUNDS = 5;
/** Rounds that fit into two minutes, with the start and one case measured again. */
const QUICK_ROUNDS = 3;

/** Longer than a server takes to stop; afterwards the bench exits without waiting. */
const STOP_TIMEOUT_MS = 15_000;

const { values: options } = parseArgs({
  options: {
    case: { type: "string", multiple: true },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    "image-tools": { type: "boolean", default: false },
  },
});

const stopping = new AbortController();
const log = (line: string): void => void process.stderr.write(`${line}\n`);

function chosenRounds(): number {
  const rounds = options.rounds === undefined ? (options.quick ? QUICK_ROUNDS : ROUNDS) : Number(options.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a number from 1");
  return rounds;
}

function chosenCases(): BenchCase[] {
  return options.case ? chooseCases(options.case) : CASES.filter(({ isQuick }) => isQuick === options.quick);
}

/** The clips of the whole bench take minutes to make, and YouTube's songs have a site of their own. */
function clipsFor(cases: readonly BenchCase[]): BenchClips {
  const areSongs = cases.every(({ kind }) => kind === "youtube" || kind === "songs");
  return areSongs ? GUARD_CLIPS : BENCH_CLIPS;
}

async function readKept(): Promise<Kept> {
  const text = await readFile(KEPT_FILE, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  return Kept.parse(JSON.parse(text));
}

/**
 * Compares with the kept run. A case that is slower is measured again; when it is slower again, the others are not
 * measured again.
 * @returns the cases that are slower than kept
 */
async function compareWithKept(
  kept: RunResult,
  bench: Bench,
  cases: readonly BenchCase[],
  results: CaseResult[],
  rounds: number,
): Promise<Regression[]> {
  for (const [index, before] of results.entries()) {
    const benchCase = cases.find(({ name }) => name === before.name);
    if (benchCase?.kind !== "convert" || findRegressions(kept.cases, [before]).length === 0) continue;
    log(`${benchCase.name} is slower than kept; measuring it again`);
    const now = await runConvertCase(bench, benchCase, rounds, before);
    results[index] = now;
    if (findRegressions(kept.cases, [now]).length > 0) break;
  }
  return findRegressions(kept.cases, results);
}

/** @returns null when the case failed, after logging why; the others are still measured */
async function runCase(bench: Bench, benchCase: BenchCase, rounds: number): Promise<CaseResult | null> {
  try {
    return await (benchCase.kind === "convert"
      ? runConvertCase(bench, benchCase, rounds)
      : runSpecialCase(bench, benchCase, rounds));
  } catch (error) {
    stopping.signal.throwIfAborted();
    log(`${benchCase.name} failed: ${String(error)}`);
    return null;
  }
}

/** Stores the results, keeping those of cases that were not measured now, and updates the READMEs. */
async function keepRun(outcome: RunResult): Promise<void> {
  const kept = await readKept();
  const name = options.quick ? "quick" : "full";
  await keep({
    ...kept,
    [name]: withKept(
      outcome,
      kept[name],
      CASES.map((benchCase) => benchCase.name),
    ),
  });
}

async function keep(kept: Kept): Promise<void> {
  await writeFile(KEPT_FILE, keptText(kept));
  await writeFile(README_FILE, withSummary(await readFile(README_FILE, "utf8"), kept));
  await writeFile(OWN_README_FILE, withCosts(withFigures(await readFile(OWN_README_FILE, "utf8"), kept), kept));
}

async function runCases(bench: Bench, cases: readonly BenchCase[]): Promise<boolean> {
  const rounds = chosenRounds();
  const found = await describeMachine(bench.tools);
  const machine = options["image-tools"] ? { ...found, ffmpeg: `${found.ffmpeg} (here the image's own build)` } : found;
  const results: CaseResult[] = [];
  const outcome = (): RunResult => ({
    machine,
    plainFetchMegabytesPerSecond: bench.plainBytesPerSecond / 1e6,
    cases: results,
  });
  for (const benchCase of cases) {
    const result = await runCase(bench, benchCase, rounds);
    if (!result) continue;
    results.push(result);
    // After each case, because a run of an hour may be stopped before its end.
    if (options.keep) await keepRun(outcome());
  }
  const kept = options.quick && !options.keep ? (await readKept()).quick : undefined;
  const worse = kept ? await compareWithKept(kept, bench, cases, results, rounds) : [];
  process.stdout.write(`${renderReport(outcome())}\n`);
  const percent = Math.round((MAX_SLOWDOWN - 1) * 100);
  for (const { name, against, kept: before, now } of worse)
    log(`${name}: ${now.toFixed(2)} of ${against}'s time, kept is ${before.toFixed(2)}: more than ${percent} % slower`);
  return worse.length === 0 && results.length === cases.length;
}

async function run(): Promise<boolean> {
  const cases = chosenCases();
  const withImageTools = options["image-tools"];
  if (withImageTools && (options.keep || options.quick))
    throw new Error(
      "--keep and --quick go by figures with this machine's own tools, so --image-tools goes with neither",
    );
  await using started = new AsyncDisposableStack();
  const stop = (signal: string): void => {
    stopping.abort(new Error(`stopped by ${signal}`));
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS);
    void started.disposeAsync().finally(() => process.exit(1));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop(signal));
  const bench = await openBench(started, log, { clips: clipsFor(cases), withImageTools });
  // Awaited here, because `started` is disposed when this function returns.
  return await runCases(bench, cases);
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
