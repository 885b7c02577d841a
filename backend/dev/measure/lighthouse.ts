/**
 * `npm run lighthouse`: measures the home page with Lighthouse's mobile profile. The production build comes from the
 * real server over plain HTTP/1.1; figures are the median of three visits. Fails when a figure misses its goal.
 * Lighthouse measures by the clock, on a machine that should be idle; two figures are processor time instead. Then it
 * measures on a slow line the first paint in each language, and how soon after Enter the page says "Starting…".
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { computeMedianRun } from "lighthouse/core/lib/median-run.js";
import { z } from "zod";
import { prepareChromium } from "../setup/chromium-set-up.ts";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { buildFrontend } from "../setup/frontend-build.ts";
import { startProduct } from "../product/product.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "../repository.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { Trace, threadTimeOf } from "./thread-time.ts";
import type { ThreadTime } from "./thread-time.ts";
import { measureFirstPaints } from "./first-paint.ts";
import { measureStartingWord } from "./starting-word.ts";

const VISITS = 3;
/** The longest time to the first paint on a slow line, in each language. */
const MAX_SLOW_PAINT_MS = 1_300;
/** From Enter to the word: what still seems to be at once. */
const MAX_WORD_MS = 100;
/** From the typed link to Enter: from a page without its scripts to one that is hydrated. */
const PAUSES_MS = [0, 0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000];

const report = (line: string): void => void process.stdout.write(`${line}\n`);

const score = z.object({ score: z.number() });
const figure = z.object({ numericValue: z.number() });
const Result = z.object({
  categories: z.object({ performance: score, accessibility: score, "best-practices": score, seo: score }),
  audits: z.looseObject({
    "largest-contentful-paint": figure,
    "total-blocking-time": figure,
    "cumulative-layout-shift": figure,
    "first-contentful-paint": figure,
    "network-requests": z.object({ details: z.object({ items: z.array(z.looseObject({ url: z.string() })) }) }),
  }),
});
type Result = z.infer<typeof Result>;

interface Measure {
  readonly name: string;
  readonly value: (result: Result, thread: ThreadTime) => number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The goals: on a mid-range phone the page is readable within 1.3 s, and a first visit costs what it shows. */
const MEASURES: readonly Measure[] = [
  { name: "Performance", value: ({ categories }) => categories.performance.score * 100, atLeast: 98 },
  { name: "Accessibility", value: ({ categories }) => categories.accessibility.score * 100, atLeast: 100 },
  { name: "Best practices", value: ({ categories }) => categories["best-practices"].score * 100, atLeast: 100 },
  { name: "SEO", value: ({ categories }) => categories.seo.score * 100, atLeast: 100 },
  { name: "First paint with content, ms", value: ({ audits }) => audits["first-contentful-paint"].numericValue },
  { name: "Largest paint, ms", value: ({ audits }) => audits["largest-contentful-paint"].numericValue, atMost: 1_300 },
  { name: "Blocked, ms", value: ({ audits }) => audits["total-blocking-time"].numericValue, atMost: 30 },
  { name: "Blocked, processor time, ms", value: (_, { blockedMs }) => blockedMs, atMost: 50 },
  { name: "Work, processor time, ms", value: (_, { workMs }) => workMs, atMost: 120 },
  { name: "Layout shift", value: ({ audits }) => audits["cumulative-layout-shift"].numericValue, atMost: 0 },
  { name: "Requests", value: ({ audits }) => audits["network-requests"].details.items.length, atMost: 25 },
];

/** Starts the product in production mode, which loads no menu of sample links, with an embedded database. */
async function openSite(started: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-lighthouse-"));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = await startEmbeddedDatabase({ dataDir, toolsDir: join(repositoryDataDir(), "tools"), report });
  started.defer(() => database.stop());
  const tools = await prepareToolsOfCheckout(report);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  const product = await startProduct({ dataDir, tools, isProduction: true, env: { MONGODB_URI: database.uri } });
  started.defer(() => product.stop());
  return product.origin;
}

interface Visit {
  /** What Lighthouse says. */
  readonly result: unknown;
  readonly thread: ThreadTime;
}

/** @returns the middle one of an odd number of values */
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[(values.length - 1) / 2] ?? NaN;

/**
 * Measures one visit by a new browser.
 * @throws Error when Lighthouse cannot read the browser's trace, which happens on a busy machine
 */
async function visit(url: string, chromePath: string): Promise<Visit> {
  const chrome = await launch({
    chromePath,
    chromeFlags: ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  try {
    const run = await lighthouse(url, { port: chrome.port, output: "json", logLevel: "error" });
    if (!run) throw new Error("Lighthouse gave no result");
    if (run.lhr.runtimeError) throw new Error(`Lighthouse could not measure: ${run.lhr.runtimeError.message}`);
    return { result: run.lhr, thread: threadTimeOf(Trace.parse(run.artifacts.Trace).traceEvents) };
  } finally {
    chrome.kill();
  }
}

const chromePath = await prepareChromium({ dataDir: repositoryDataDir(), report });
await using started = new AsyncDisposableStack();
const url = new URL(process.argv[2] ?? "/", await openSite(started)).href;
const visits: Visit[] = [];
for (let n = 0; n < VISITS; n += 1) visits.push(await visit(url, chromePath));
const median: unknown = computeMedianRun(visits.map((each) => each.result) as Parameters<typeof computeMedianRun>[0]);
const result = Result.parse(median);
const thread: ThreadTime = {
  workMs: medianOf(visits.map((each) => each.thread.workMs)),
  blockedMs: medianOf(visits.map((each) => each.thread.blockedMs)),
};
for (const { name, value, atLeast, atMost } of MEASURES) {
  const measured = Math.round(value(result, thread) * 1_000) / 1_000;
  const isKept = (atLeast === undefined || measured >= atLeast) && (atMost === undefined || measured <= atMost);
  const bound = atLeast === undefined ? (atMost === undefined ? "" : `at most ${atMost}`) : `at least ${atLeast}`;
  process.stdout.write(`${isKept ? " " : "✗"} ${name.padEnd(30)} ${String(measured).padStart(8)}  ${bound}\n`);
  if (!isKept) process.exitCode = 1;
}
if (process.exitCode === 1) {
  const audits = z
    .record(z.string(), z.looseObject({ score: z.number().nullable(), title: z.string() }))
    .parse((median as { audits: unknown }).audits);
  for (const [id, audit] of Object.entries(audits))
    if (audit.score !== null && audit.score < 1) process.stdout.write(`    ${id}: ${audit.title}\n`);
}
for (const { language, paintMs } of await measureFirstPaints(url, chromePath)) {
  const isKept = paintMs <= MAX_SLOW_PAINT_MS;
  const name = `First paint on slow 3G, ${language}, ms`.padEnd(30);
  report(`${isKept ? " " : "✗"} ${name} ${String(Math.round(paintMs)).padStart(8)}  at most ${MAX_SLOW_PAINT_MS}`);
  if (!isKept) process.exitCode = 1;
}
for (const { pauseMs, wordMs } of await measureStartingWord(new URL("/", url).href, chromePath, PAUSES_MS)) {
  const isKept = wordMs <= MAX_WORD_MS;
  const name = `Enter ${pauseMs / 1_000} s after the link, ms`.padEnd(30);
  report(`${isKept ? " " : "✗"} ${name} ${String(Math.round(wordMs)).padStart(8)}  at most ${MAX_WORD_MS}`);
  if (!isKept) process.exitCode = 1;
}
