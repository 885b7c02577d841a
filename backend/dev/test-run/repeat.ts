/**
 * `npm run test:repeat -- 10`: runs `npm test` again and again, each time with other values for properties, and prints
 * how often each test failed. `--busy` keeps every core busy meanwhile, `--full` runs `npm run test:full`. The output of
 * each run is kept.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY_ROOT, repositoryDataDir } from "../repository.ts";
import { failedTests } from "./failed-tests.ts";

const USAGE = "usage: npm run test:repeat -- RUNS [--busy] [--full]";
const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** Keeps every core busy. @returns ends that */
function keepBusy(): () => void {
  const programs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  return () => void programs.map((program) => program.kill("SIGKILL"));
}

async function run(script: string, folder: string): Promise<{ seconds: number; exitCode: number | null }> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const log = createWriteStream(path.join(folder, "output.log"));
  const startedAt = performance.now();
  const program: ChildProcess = spawn("npm", ["run", script], {
    cwd: REPOSITORY_ROOT,
    env: { ...process.env, TEST_REPORTS: folder, PROPERTY_SEED: String(randomInt(2 ** 31)) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  program.stdout?.pipe(log, { end: false });
  program.stderr?.pipe(log, { end: false });
  const [exitCode] = (await once(program, "close")) as [number | null];
  log.end();
  return { seconds: (performance.now() - startedAt) / 1_000, exitCode };
}

/** @returns the content, or undefined when that part of the run was not reached */
async function readReport(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const { values, positionals } = parseArgs({
  options: { busy: { type: "boolean", default: false }, full: { type: "boolean", default: false } },
  allowPositionals: true,
});
const runs = Number(positionals[0]);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const failures = new Map<string, number>();
const endBusy = values.busy ? keepBusy() : () => undefined;
let failedRuns = 0;
try {
  for (let number = 1; number <= runs; number++) {
    const folder = path.join(repositoryDataDir(), "test-repeat", String(number));
    const { seconds, exitCode } = await run(values.full ? "test:full" : "test", folder);
    const names = ["unit.json", "components.json", "browser.json"];
    const reports = await Promise.all(names.map((name) => readReport(path.join(folder, name))));
    const failed = reports.flatMap(failedTests);
    if (exitCode !== 0) {
      failedRuns++;
      for (const test of failed.length > 0 ? failed : [`no test: see ${path.join(folder, "output.log")}`])
        failures.set(test, (failures.get(test) ?? 0) + 1);
    }
    report(`run ${number} of ${runs}: ${exitCode === 0 ? "passed" : "failed"} in ${seconds.toFixed(0)} s`);
  }
} finally {
  endBusy();
}
for (const [test, times] of failures) report(`  failed ${times} times: ${test}`);
report(`${runs - failedRuns} passed, ${failedRuns} failed`);
process.exitCode = failedRuns === 0 ? 0 : 1;
