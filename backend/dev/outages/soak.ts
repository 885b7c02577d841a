/**
 * `npm run soak`: visitors of all kinds on one server for half an hour, with `kill -9` of the server and its database
 * now and then. The last line has the figures. `-- 10` sets another number of minutes, `-- 10 20` also another number of
 * visitors at the same time.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "../measure/percentile.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { buildFrontend } from "../setup/frontend-build.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { linkSharedFolders, processesOf } from "../product/data-folder.ts";
import { Ledger } from "./ledger.ts";
import { startProduct, type Product } from "../product/product.ts";
import { ONE_ADDRESS_LIMITS } from "../wide-limits.ts";
import { SOAK_PAGES, SoakVisitor, type SoakWorld } from "./soak-visitor.ts";
import { findRemains, type Remains } from "./strays.ts";

const MINUTES = Number(process.argv[2] ?? "30");
const VISITORS = Number(process.argv[3] ?? "8");
/** Visits of one visitor, who then leaves for another one. */
const VISITS = 8;
const LONGEST_PAUSE_MS = 2_000;
/** Memory is first read at this share of the time, before the first kill. */
const FIRST_READING = 1 / 6;
/** The second half is undisturbed, so that the memory at the end is that of a server that has run for long. */
const KILLS = [0.2, 0.26, 0.32, 0.38, 0.44, 0.5];
const SAMPLE_MS = 1_000;
/** A reading of the memory is the median of the last 30 s. */
const READING_SAMPLES = 30;
/** More memory at the end than this many times the first reading is a fault. */
const MOST_GROWTH = 1.5;
const SETTLE_MS = 60_000;

/** Set again when the server is ready. */
let startedAtMs = Date.now();
const minutesSoFar = () => (Date.now() - startedAtMs) / 60_000;
const report = (line: string) => process.stdout.write(`${minutesSoFar().toFixed(1).padStart(5)} min  ${line}\n`);
const untilShare = (share: number) => delay(Math.max(0, startedAtMs + share * MINUTES * 60_000 - Date.now()));

async function receive(world: SoakWorld): Promise<void> {
  while (minutesSoFar() < MINUTES) {
    const visitor = await SoakVisitor.arrive(world);
    for (let n = 0; n < VISITS && minutesSoFar() < MINUTES; n += 1) {
      await visitor.visit();
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
    await visitor.leave();
  }
}

/** A start that fails is a fault, and is tried once more. */
async function startAgain(product: Product, ledger: Ledger): Promise<void> {
  try {
    await product.start();
  } catch (error) {
    ledger.losses.push(`the server did not start: ${error instanceof Error ? error.message : String(error)}`);
    await product.start();
  }
}

/** Kills the server six times, every second time together with its database. */
async function killNowAndThen(product: Product, ledger: Ledger): Promise<void> {
  for (const [nth, share] of KILLS.entries()) {
    await untilShare(share);
    const databasePid = nth % 2 === 0 ? undefined : await product.databasePid();
    if (databasePid !== undefined) process.kill(databasePid, "SIGKILL");
    await product.kill();
    const killedAtMs = Date.now();
    await startAgain(product, ledger);
    const seconds = ((Date.now() - killedAtMs) / 1_000).toFixed(1);
    report(`kill -9 of the server${databasePid === undefined ? "" : " and its database"}; ready after ${seconds} s`);
  }
}

class MemoryReader {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(product: Product) {
    this.#timer = setInterval(() => {
      const mb = product.residentMb();
      if (mb !== undefined) this.#samples.push(mb);
    }, SAMPLE_MS);
  }

  read(): number {
    return percentile(this.#samples.slice(-READING_SAMPLES), 50);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Repeats the check until nothing is left, because the last clean-ups may still be running. */
async function untilSettled(product: Product, ledger: Ledger): Promise<Remains> {
  const deadlineMs = Date.now() + SETTLE_MS;
  for (;;) {
    const remains = await findRemains(product, ledger.asked);
    if ((remains.strays.length === 0 && remains.losses.length === 0) || Date.now() > deadlineMs) return remains;
    await delay(SAMPLE_MS);
  }
}

async function run(product: Product, ffmpegPath: string): Promise<void> {
  const ledger = new Ledger();
  const pages = new Map<string, string>();
  for (const page of SOAK_PAGES) pages.set(page, await product.sampleUrl(page));
  const world: SoakWorld = { product, ledger, ffmpegPath, pages };
  using memory = new MemoryReader(product);
  const visits = Array.from({ length: VISITORS }, () => receive(world));
  const kills = untilShare(FIRST_READING).then(async () => {
    const firstMb = memory.read();
    report(`${ledger.asked.size} jobs so far; memory ${firstMb.toFixed(0)} MB`);
    await killNowAndThen(product, ledger);
    return firstMb;
  });
  const reading = untilShare(1).then(() => memory.read());
  const [firstMb, lastMb] = await Promise.all([kills, reading, ...visits]);
  const { strays, losses } = await untilSettled(product, ledger);
  await product.stop();
  print(ledger, {
    losses: [...ledger.losses, ...ledger.calls.failed, ...losses],
    strays: [...strays, ...(await processesOf(product.dataDir)).map((line) => `process ${line} outlived the server`)],
    firstMb,
    lastMb,
  });
}

interface Result extends Remains {
  readonly firstMb: number;
  readonly lastMb: number;
}

function print(ledger: Ledger, { losses, strays, firstMb, lastMb }: Result): void {
  const faults = [...losses, ...strays, ...ledger.backward];
  for (const fault of faults) report(fault);
  const visits = [...ledger.visits].map(([kind, count]) => `${count} ${kind}`).join(", ");
  report(`visits: ${visits}; ${ledger.calls.calls} calls, of which ${ledger.calls.retried} tries were repeated`);
  if (ledger.killedThreeTimes.length > 0)
    report(`${ledger.killedThreeTimes.length} jobs failed because each of their three attempts was killed`);
  const firstMinute = MINUTES * FIRST_READING;
  report(
    `${ledger.asked.size} jobs, ${losses.length} losses, ${strays.length} strays, ` +
      `${ledger.backward.length} pushes ran backwards, ${KILLS.length} kills, ` +
      `memory ${firstMb.toFixed(0)} MB at minute ${firstMinute.toFixed(0)} and ${lastMb.toFixed(0)} MB at minute ${MINUTES}`,
  );
  if (faults.length > 0 || lastMb > firstMb * MOST_GROWTH) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), "tapedeck-soak-"));
try {
  const tools = await prepareToolsOfCheckout(report);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  const dataDir = await linkSharedFolders(join(folder, "data"));
  const product = await startProduct({ dataDir, tools, settings: ONE_ADDRESS_LIMITS });
  startedAtMs = Date.now();
  report(`the server is ready; ${VISITORS} visitors for ${MINUTES} minutes`);
  try {
    await run(product, tools.ffmpegPath);
  } finally {
    await product.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
