/**
 * `npm run guard`: fails when conversions have become slower than the kept figures say. It measures what a busy machine
 * does not change; README.md of the bench explains how, and what it does not see.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { GUARD_CLIPS } from "../cases/bench-clips.ts";
import { describeMachine } from "../machine.ts";
import { prepareToolsOfCheckout } from "../../setup/tools.ts";
import { openBench } from "../open-bench.ts";
import { figure } from "../report/table.ts";
import { startRunWatch } from "../measuring/run-watch.ts";
import {
  compare,
  isBroken,
  isSameKind,
  KeptFigures,
  middleOf,
  type Compared,
  type GuardFigure,
} from "./guard-figures.ts";
import { GuardRounds } from "./guard-rounds.ts";

const KEPT_FILE = join(import.meta.dirname, "kept-figures.json");
/** The least of four rounds stays within a few percent, also on a busy machine. */
const ROUNDS = 4;
/** A broken bound is believed only after this many times as many rounds. */
const MEASUREMENTS = 3;

const { values: options } = parseArgs({ options: { keep: { type: "boolean", default: false } } });
const log = (line: string): void => void process.stderr.write(`${line}\n`);

function line({ name, unit, value, kept, atMost }: Compared): string {
  return `${name}, ${unit}: ${figure(value)}, kept ${figure(kept)}, at most ${figure(atMost)}`;
}

function describe({ cores, model, ffmpeg }: KeptFigures["machine"]): string {
  return `${cores} × ${model} with ffmpeg ${ffmpeg}`;
}

/** Keeps the middle of several runs, so that one of them that was disturbed does not count. */
async function keep(measure: () => Promise<GuardRounds>, machine: KeptFigures["machine"]): Promise<void> {
  const runs: GuardFigure[][] = [];
  for (let run = 0; run < MEASUREMENTS; run += 1) runs.push((await measure()).figures());
  const kept: KeptFigures = { machine, measuredAt: new Date().toISOString(), figures: middleOf(runs) };
  await writeFile(KEPT_FILE, `${JSON.stringify(kept, null, 2)}\n`);
}

async function run(): Promise<boolean> {
  await using started = new AsyncDisposableStack();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void started.disposeAsync().finally(() => process.exit(1)));
  const machine = await describeMachine(await prepareToolsOfCheckout(log));
  const kept = KeptFigures.parse(JSON.parse(await readFile(KEPT_FILE, "utf8")));
  const keptOn = `${describe(kept.machine)}, on ${kept.measuredAt.slice(0, 10)}`;
  if (!options.keep && !isSameKind(machine, kept.machine)) {
    log(`NOT MEASURED: the figures were kept on ${keptOn}.`);
    log(`This machine is another: ${describe(machine)}. Keep figures of it with --keep first.`);
    return true;
  }
  const startedMs = performance.now();
  const bench = await openBench(started, log, { clips: GUARD_CLIPS, withImageTools: false });
  const watch = await startRunWatch(process.pid, [], started);
  const measure = async (rounds = new GuardRounds(bench, watch)): Promise<GuardRounds> => {
    for (let round = 0; round < ROUNDS; round += 1) await rounds.measure();
    return rounds;
  };
  if (options.keep) {
    await keep(measure, machine);
    return true;
  }
  log(`comparing with figures that were kept on ${keptOn}`);
  const rounds = await measure();
  let compared = compare(kept.figures, rounds.figures());
  for (let measured = 1; measured < MEASUREMENTS && compared.some(isBroken); measured += 1) {
    for (const broken of compared.filter(isBroken)) log(`measuring again, because of ${line(broken)}`);
    await measure(rounds);
    compared = compare(kept.figures, rounds.figures());
  }
  for (const one of compared) log(`${isBroken(one) ? "✗" : "✓"} ${line(one)}`);
  log(`measured after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  return !compared.some(isBroken);
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
