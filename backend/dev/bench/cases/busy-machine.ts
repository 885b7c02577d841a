/** One conversion on an idle machine and beside another program that keeps every core busy, in turn. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { median, percentile } from "../../measure/percentile.ts";
import type { SpecialCase } from "./cases.ts";
import { forget, freshLink, measureOurs, type Bench } from "./convert-case.ts";
import { loadAverage } from "../machine.ts";
import { emptyResult, noFigures, type CaseResult } from "../report/results.ts";

const PAGE = "ten-progressive-720";
/** The other program gets half of the machine, so 2 is what fair shares allow; the rest is what they cost. */
const TIME_RATIO_GOAL = 2.3;
/** A p99 of a few hundred answers varies by about so much from run to run. */
const HEALTH_RATIO_GOAL = 2;
const HEALTH_CHECK_MS = 50;

/** Runs `work` beside a program of ordinary niceness, in a session of its own, with a thread for each core. */
async function besideBusyProgram(work: () => Promise<void>): Promise<void> {
  const spin = `
    const { Worker } = require("node:worker_threads");
    for (let n = 0; n < ${availableParallelism()}; n += 1) new Worker("for (;;);", { eval: true });
    process.stdout.write("busy");`;
  const program = spawn(process.execPath, ["-e", spin], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(program, "exit");
  try {
    await once(program.stdout, "data");
    await work();
  } finally {
    program.kill("SIGKILL");
    await exited;
  }
}

/** @returns milliseconds each answer of /healthz took while `work` ran, asked twenty times a second */
async function healthDuring(origin: string, work: () => Promise<void>): Promise<number[]> {
  const answerMs: number[] = [];
  const finished = new AbortController();
  const asking = (async () => {
    while (!finished.signal.aborted) {
      const askedMs = performance.now();
      await (await fetch(`${origin}/healthz`)).arrayBuffer();
      answerMs.push(performance.now() - askedMs);
      await delay(HEALTH_CHECK_MS);
    }
  })();
  try {
    await work();
  } finally {
    finished.abort();
    await asking;
  }
  return answerMs;
}

/** @returns seconds beside the other program, with the ratio to those on an idle machine as a goal */
export async function runBusyMachine(bench: Bench, benchCase: SpecialCase, rounds: number): Promise<CaseResult> {
  const result = emptyResult(benchCase, loadAverage());
  const idle = { seconds: [] as number[], healthMs: [] as number[], figures: noFigures() };
  const busy = { seconds: result.seconds, healthMs: [] as number[], figures: result.ours };
  const { free } = bench.owners;
  const convert = async (into: typeof idle): Promise<void> => {
    const answers = await healthDuring(bench.product.origin, async () => {
      const link = freshLink(bench.originBy("unlimited"), PAGE);
      const { seconds, jobs } = await measureOurs(bench, into.figures, async () => [
        await free.client.convert(link, "mp3"),
      ]);
      into.seconds.push(seconds);
      await forget(free, jobs);
    });
    into.healthMs.push(...answers);
  };
  for (let round = 0; round < rounds; round += 1) {
    await convert(idle);
    await besideBusyProgram(() => convert(busy));
    bench.report(
      `${benchCase.name} ${round + 1}/${rounds}: idle ${idle.seconds.at(-1)?.toFixed(2)} s, beside another program ${busy.seconds.at(-1)?.toFixed(2)} s`,
    );
  }
  bench.report(
    `${benchCase.name}: /healthz p99 ${percentile(idle.healthMs, 99).toFixed(1)} ms idle, ${percentile(busy.healthMs, 99).toFixed(1)} ms beside; ` +
      `longest silence ${Math.max(...idle.figures.longestSilenceMs).toFixed(0)} ms idle, ${Math.max(...busy.figures.longestSilenceMs).toFixed(0)} ms beside`,
  );
  return {
    ...result,
    goals: [
      { what: "÷ idle", value: median(busy.seconds) / median(idle.seconds), atMost: TIME_RATIO_GOAL, unit: "×" },
      {
        what: "/healthz p99 ÷ idle",
        value: percentile(busy.healthMs, 99) / percentile(idle.healthMs, 99),
        atMost: HEALTH_RATIO_GOAL,
        unit: "×",
      },
    ],
  };
}
