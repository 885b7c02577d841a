/**
 * `npm run bench`: how long conversions take, beside what a person would run instead and beside what this
 * machine allows at best. README.md in this folder says how to read it.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepareClips } from "../sample-site/clips.ts";
import { repositoryDataDir } from "../repository.ts";
import { prepareTools } from "../tools.ts";
import { BENCH_CLIPS } from "./bench-clips.ts";
import { CASES, type BenchCase } from "./cases.ts";
import { openClient } from "./client.ts";
import { findRegressions, MOST_WORSE } from "./comparison.ts";
import { freshLink, runConvertCase, type Bench, type Owner } from "./convert-case.ts";
import { describeMachine, loadAverage } from "./machine.ts";
import { startProduct } from "./product.ts";
import { Kept, type CaseResult, type RunResult } from "./results.ts";
import { SiteOrigins } from "./site-figures.ts";
import { report as renderReport } from "./table.ts";

const KEPT_FILE = join(import.meta.dirname, "kept.json");
const ROUNDS = 5;
/** The largest clip that everything else is of the kind of. */
const PLAIN_FILE = "ten/video-720.mp4";

const { values: options } = parseArgs({
  options: {
    case: { type: "string", multiple: true },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    keep: { type: "boolean", default: false },
    load: { type: "boolean", default: false },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function chosenCases(): BenchCase[] {
  const wanted = options.case;
  // A whole name is that case alone; a part of one is all that have it.
  if (wanted) return CASES.filter(({ name }) => wanted.some((part) => (CASES.some((other) => other.name === part) ? name === part : name.includes(part))));
  return CASES.filter(({ isQuick }) => isQuick === options.quick);
}

async function readKept(): Promise<Kept> {
  const text = await readFile(KEPT_FILE, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  return Kept.parse(JSON.parse(text));
}

/** Bytes a second from the site to a reader who throws them away; the best of three. */
async function measurePlainFetch(origin: string): Promise<number> {
  let best = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    const startedMs = performance.now();
    const answer = await fetch(`${origin}/clips/${PLAIN_FILE}`);
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += chunk.length;
    best = Math.max(best, bytes / ((performance.now() - startedMs) / 1_000));
  }
  return best;
}

async function run(): Promise<boolean> {
  const cases = chosenCases();
  if (cases.length === 0) throw new Error(`no case is called so; there are ${CASES.map(({ name }) => name).join(", ")}`);
  const rounds = options.rounds === undefined ? ROUNDS : Number(options.rounds);
  const loadAtStart = loadAverage();
  const sharedDataDir = repositoryDataDir();
  const folder = join(sharedDataDir, "bench");
  const scratch = join(folder, "scratch");
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  const tools = await prepareTools({ dataDir: sharedDataDir, ytDlpPath: process.env["YTDLP_PATH"], ffmpegPath: process.env["FFMPEG_PATH"], report: say });
  const clips = await prepareClips({ dataDir: sharedDataDir, ffmpegPath: tools.ffmpegPath, report: say, collection: BENCH_CLIPS });

  await using started = new AsyncDisposableStack();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void started.disposeAsync().finally(() => process.exit(1)));
  const site = fork(join(import.meta.dirname, "site-process.ts"), [clips]);
  started.defer(async () => {
    const exited = once(site, "exit");
    site.kill();
    await exited;
  });
  const [message] = (await once(site, "message")) as [unknown];
  const origins = SiteOrigins.parse(message);
  const originBy = (wire: string): string => (wire === "unlimited" ? origins.unlimited : (origins.shaped[wire] ?? ""));
  const videoHosts = [origins.unlimited, ...Object.values(origins.shaped)].map((origin) => new URL(origin).host);
  const product = await startProduct({ folder, sharedDataDir, tools, videoHosts });
  started.defer(() => product.stop());
  const ownerOf = async (device: Owner["device"]): Promise<Owner> => ({ device, client: await openClient(device) });
  const owners = { free: await ownerOf(await product.newVisitor()), pro: await ownerOf(await product.newProUser()) };
  const plainBytesPerSecond = await measurePlainFetch(origins.unlimited);
  const bench: Bench = { product, owners, tools, clips, rivals: { scratch, leftOut: [product.pid, site.pid ?? 0] }, originBy, plainBytesPerSecond, report: say };

  // Nobody's first conversion after a start is measured.
  await owners.free.client.convert(freshLink(origins.unlimited, "brief"), "mp3");
  await owners.pro.client.convert(freshLink(origins.unlimited, "brief"), "mp4");

  const results: CaseResult[] = [];
  for (const benchCase of cases) {
    const turns = Math.min(rounds, benchCase.mostRounds ?? Infinity);
    results.push(await runCase(bench, benchCase, turns));
  }
  const outcome = (): RunResult => ({ date: new Date().toISOString(), machine, loadAtStart, plainFetchMegabytesPerSecond: plainBytesPerSecond / 1e6, cases: results });
  const machine = await describeMachine(tools);
  const kept = await readKept();
  let isWorse = false;
  if (options.quick && !options.keep && kept.quick) {
    for (const [index, benchCase] of cases.entries()) {
      const before = results[index];
      if (!before || benchCase.kind !== "convert" || findRegressions(kept.quick.cases, [before]).length === 0) continue;
      say(`${benchCase.name} is worse than kept; once more`);
      results[index] = await runConvertCase(bench, benchCase, rounds, before);
    }
    const worse = findRegressions(kept.quick.cases, results);
    isWorse = worse.length > 0;
    for (const { name, against, kept: was, now } of worse) say(`${name}: ${now.toFixed(2)} of ${against}'s time, kept is ${was.toFixed(2)}; more than ${Math.round((MOST_WORSE - 1) * 100)} % worse`);
  }
  process.stdout.write(`${renderReport(outcome())}\n`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(outcome(), null, 1)}\n`);
  if (options.keep) await writeFile(KEPT_FILE, `${JSON.stringify({ ...kept, [options.quick ? "quick" : "full"]: outcome() } satisfies Kept, null, 1)}\n`);
  return !isWorse;
}

function runCase(bench: Bench, benchCase: BenchCase, rounds: number): Promise<CaseResult> {
  switch (benchCase.kind) {
    case "convert":
      return runConvertCase(bench, benchCase, rounds);
    default:
      throw new Error(`${benchCase.kind} is still to come`);
  }
}

process.exitCode = (await run()) ? 0 : 1;
