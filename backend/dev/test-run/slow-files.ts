import type { Reporter, TestModule } from "vitest/node";

/** Most that a fast test file may take on an idle machine. */
const FAST_MS = 2_000;

/**
 * Names the fast test files that took long, and fails a run that does not end by itself. A slow file does not fail the
 * run, because seconds depend on the machine.
 */
export class SlowFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slow = modules
      .filter(({ moduleId }) => !moduleId.includes(".full."))
      .map((module) => ({ file: module.relativeModuleId, ms: timeOf(module) }))
      .filter(({ ms }) => ms > FAST_MS)
      .toSorted((a, b) => b.ms - a.ms);
    if (slow.length === 0) return;
    const lines = slow.map(({ file, ms }) => `  ${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`);
    process.stdout.write(
      `\nFast test files that took more than ${FAST_MS / 1_000} s. Make them cheaper, or name them *.full.test.ts:\n${lines.join("\n")}\n`,
    );
  }

  onProcessTimeout(): void {
    process.stderr.write("The tests are done, but something that a test left open keeps the run from ending.\n");
    process.exitCode = 1;
  }
}

function timeOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}
