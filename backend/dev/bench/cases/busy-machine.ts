/** A conversion, alternately on an idle machine and beside another program that uses every core. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { median, percentile } from "../../measure/percentile.ts";
import type { SpecialCase } from "./cases.ts";
import { deleteJobs, freshLink, measureOurs, type Bench } from "./convert-case.ts";
import { loadAverage } from "../machine.ts";
import { emptyResult, noFigures, type CaseResult } from "../report/results.ts";

const PAGE = "ten-progressive-720";
/** With fair shares of the cores the time doubles; the rest is overhead. */
const TIME_RATIO_GOAL = 2.3;
/** The p99 of a few hundred answers varies by about this factor between runs. */
const HEALTH_RATIO_GOAL = 2;
const HEALTH_CHECK_MS = 50;

/** Runs `work` beside a program with a busy thread for each core, normal niceness and its own session. */
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

/** @returns milliseconds of each answer of /healthz, requested twenty times a second while `work` runs */
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

/** @returns seconds beside the other program; the goal is their ratio to the seconds on an idle machine */
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
      await deleteJobs(free, jobs);
    });
    into.healthMs.push(...answers);
  };
  for (let round = 0; round < rounds; round += 1) {
    await convert(idle);
    await besideBusyProgram(() => convert(busy));
    const idleSeconds = idle.seconds.at(-1)?.toFixed(2);
    const busySeconds = busy.seconds.at(-1)?.toFixed(2);
    bench.report(
      `${benchCase.name} ${round + 1}/${rounds}: idle ${idleSeconds} s, beside another program ${busySeconds} s`,
    );
  }
  const describe = ({ healthMs, figures }: typeof idle): string =>
    `/healthz p99 ${percentile(healthMs, 99).toFixed(1)} ms, ` +
    `longest silence ${Math.max(...figures.longestSilenceMs).toFixed(0)} ms`;
  bench.report(`${benchCase.name}: idle: ${describe(idle)}; beside another program: ${describe(busy)}`);
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
