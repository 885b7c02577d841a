import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { ThreadTree, type RunSample } from "./run-samples.ts";
import { runFigures } from "./run-watch.ts";

/** Samples of 10 ms, one after the other from 0 on. */
function samplesOf(...parts: Pick<RunSample, "cpuMs" | "wantedMs" | "isActiveAtEnd">[]): RunSample[] {
  return parts.map((part, index) => ({ fromMs: index * 10, toMs: (index + 1) * 10, ...part }));
}
const NOTHING = { cpuMs: 0, wantedMs: 0, isActiveAtEnd: false };
const ONE_CORE = { cpuMs: 10, wantedMs: 10, isActiveAtEnd: true };
const TWO_CORES = { cpuMs: 20, wantedMs: 20, isActiveAtEnd: true };

it("counts the time in which no thread wants a core as quiet", () => {
  expect(runFigures(samplesOf(NOTHING, NOTHING, NOTHING, NOTHING), 0, 40)).toMatchObject({ quietMs: 40 });
  expect(runFigures(samplesOf(NOTHING, NOTHING, NOTHING, NOTHING), 15, 25)).toMatchObject({ quietMs: 10 });
  expect(runFigures(samplesOf(ONE_CORE, ONE_CORE), 0, 20)).toMatchObject({ quietMs: 0 });
});

it("does not count a thread that queues for a core as quiet, whose time is known only afterwards", () => {
  const queuing = { cpuMs: 0, wantedMs: 0, isActiveAtEnd: true };
  const runsAtLast = { cpuMs: 2, wantedMs: 22, isActiveAtEnd: false };
  expect(runFigures(samplesOf(queuing, queuing, runsAtLast), 0, 30)).toMatchObject({ quietMs: 0 });
});

it("takes as long on two cores as on an idle machine, however long the threads queue", () => {
  const idle = runFigures(samplesOf(ONE_CORE, TWO_CORES), 0, 20);
  expect(idle).toEqual({ quietMs: 0, twoCoresMs: 20 });
  const oneOfTwo = { cpuMs: 5, wantedMs: 10, isActiveAtEnd: true };
  const twoOfFour = { cpuMs: 10, wantedMs: 20, isActiveAtEnd: true };
  const busy = runFigures(samplesOf(oneOfTwo, oneOfTwo, twoOfFour, twoOfFour), 0, 40);
  expect(busy).toEqual(idle);
});

it("takes twice as long where one thread does the work of two", () => {
  expect(runFigures(samplesOf(TWO_CORES), 0, 10).twoCoresMs).toBe(10);
  expect(runFigures(samplesOf(ONE_CORE, ONE_CORE), 0, 20).twoCoresMs).toBe(20);
});

it("sees the thread of a descendant that runs, and not one that waits", async () => {
  const spinning = "while :; do :; done";
  const parent = spawn("sh", ["-c", `sh -c '${spinning}' & wait`], { detached: true, stdio: "ignore" });
  const waiting = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  try {
    const group = parent.pid ?? NaN;
    const tree = new ThreadTree(group, [], 0);
    await expect.poll(() => tree.look(1).isActiveAtEnd).toBe(true);
    await expect.poll(() => tree.look(2).cpuMs).toBeGreaterThan(0);
    tree.close();
    const quiet = new ThreadTree(waiting.pid ?? NaN, [], 0);
    await expect.poll(() => quiet.look(1)).toMatchObject({ cpuMs: 0, wantedMs: 0, isActiveAtEnd: false });
    quiet.close();
  } finally {
    process.kill(-(parent.pid ?? NaN), "SIGKILL");
    waiting.kill();
  }
});
