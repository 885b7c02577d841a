/**
 * Loaded into the server before its own code (`node --import`): prints how much CPU time its main thread takes between
 * two turns of a timer, where that is much. Unlike the time until an answer, it does not depend on other programs.
 */
import { isMainThread } from "node:worker_threads";

const INTERVAL_MS = 4;
const MUCH_MS = 20;
const LINE = /^turn-report (\d+)$/;

/** @returns the CPU time of one turn; undefined for any other line of the output */
export function turnMsIn(line: string): number | undefined {
  const [, ms] = LINE.exec(line) ?? [];
  return ms === undefined ? undefined : Number(ms);
}

function reportTurns(): void {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    const ms = Math.round((user + system) / 1_000);
    if (ms >= MUCH_MS) process.stdout.write(`turn-report ${ms}\n`);
  }, INTERVAL_MS).unref();
}

// The program that starts the server imports this file too.
if (isMainThread && process.execArgv.some((argument) => argument.endsWith("turn-report.ts"))) reportTurns();
