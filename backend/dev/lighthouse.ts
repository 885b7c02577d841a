/**
 * What a phone on a slow line makes of the home page: `npm run lighthouse`. The production build from
 * the real server over plain HTTP/1.1, Lighthouse's own mobile profile, the median of three visits.
 * Prints the figures and fails when one is worse than we promise ourselves.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { computeMedianRun } from "lighthouse/core/lib/median-run.js";
import { z } from "zod";
import { prepareChromium } from "./chromium-set-up.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "./repository.ts";

const VISITS = 3;

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
  readonly value: (result: Result) => number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A visitor on a middling phone reads within two seconds and is never kept from typing. */
const MEASURES: readonly Measure[] = [
  { name: "Performance", value: ({ categories }) => categories.performance.score * 100, atLeast: 95 },
  { name: "Accessibility", value: ({ categories }) => categories.accessibility.score * 100, atLeast: 100 },
  { name: "Best practices", value: ({ categories }) => categories["best-practices"].score * 100, atLeast: 100 },
  { name: "SEO", value: ({ categories }) => categories.seo.score * 100, atLeast: 100 },
  { name: "First paint with content, ms", value: ({ audits }) => audits["first-contentful-paint"].numericValue },
  { name: "Largest paint, ms", value: ({ audits }) => audits["largest-contentful-paint"].numericValue, atMost: 2_000 },
  { name: "Blocked, ms", value: ({ audits }) => audits["total-blocking-time"].numericValue, atMost: 50 },
  { name: "Layout shift", value: ({ audits }) => audits["cumulative-layout-shift"].numericValue, atMost: 0 },
  { name: "Requests", value: ({ audits }) => audits["network-requests"].details.items.length, atMost: 25 },
];

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Development's server: it serves the production build, and brings its own database. */
async function startServer(port: number): Promise<{ origin: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = spawn(process.execPath, ["backend/main.ts"], {
    cwd: REPOSITORY_ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PORT: String(port), LOG_LEVEL: "error" },
  });
  const ended = once(server, "exit");
  const origin = `http://localhost:${port}`;
  const stop = async (): Promise<void> => {
    server.kill("SIGTERM");
    await ended;
  };
  for (;;) {
    const isReady = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return { origin, [Symbol.asyncDispose]: stop };
    if (server.exitCode !== null) throw new Error("the server did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** One visit by a browser that has never been there. */
async function visit(url: string, chromePath: string): Promise<unknown> {
  const chrome = await launch({ chromePath, chromeFlags: ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])] });
  try {
    const run = await lighthouse(url, { port: chrome.port, output: "json", logLevel: "error" });
    if (!run) throw new Error("Lighthouse gave no result");
    return run.lhr;
  } finally {
    chrome.kill();
  }
}

const chromePath = await prepareChromium({ dataDir: repositoryDataDir(), report: (line) => process.stdout.write(`${line}\n`) });
await using server = await startServer(await findFreePort());
const url = new URL(process.argv[2] ?? "/", server.origin).href;
const visits: unknown[] = [];
for (let n = 0; n < VISITS; n += 1) visits.push(await visit(url, chromePath));
const median: unknown = computeMedianRun(visits as Parameters<typeof computeMedianRun>[0]);
const result = Result.parse(median);
for (const { name, value, atLeast, atMost } of MEASURES) {
  const measured = Math.round(value(result) * 1_000) / 1_000;
  const isKept = (atLeast === undefined || measured >= atLeast) && (atMost === undefined || measured <= atMost);
  const bound = atLeast === undefined ? (atMost === undefined ? "" : `at most ${atMost}`) : `at least ${atLeast}`;
  process.stdout.write(`${isKept ? " " : "✗"} ${name.padEnd(30)} ${String(measured).padStart(8)}  ${bound}\n`);
  if (!isKept) process.exitCode = 1;
}
if (process.exitCode === 1) {
  const audits = z.record(z.string(), z.looseObject({ score: z.number().nullable(), title: z.string() })).parse((median as { audits: unknown }).audits);
  for (const [id, audit] of Object.entries(audits)) if (audit.score !== null && audit.score < 1) process.stdout.write(`    ${id}: ${audit.title}\n`);
}
