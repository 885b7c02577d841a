/**
 * `npm run fuzz`: 100,000 odd HTTP requests and 20,000 odd frames of sockets to the real server, on this machine only.
 * Exits with 1 when the server answers with an error of its own, crashes, shows internals, or keeps memory or
 * connections. `--seed N` repeats a run; `--requests N` and `--frames N` set other numbers.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setTier } from "../testing/change-accounts.ts";
import { CALLS } from "./calls.ts";
import { openSlowConnections, sendGarbage } from "./raw-garbage.ts";
import { sendFrames } from "./send-frames.ts";
import { sendRequests, type FuzzRun } from "./send-requests.ts";
import { startServerUnderFuzz, type ServerUnderFuzz, type Vitals } from "./server-under-fuzz.ts";
import { Tally } from "./tally.ts";
import { openVisitors } from "./visitors.ts";
import { untilQuiet } from "./until-quiet.ts";

/** The part of a run after which memory is first measured. */
const WARM_UP = 0.1;
const MAX_MEMORY_RATIO = 1.5;
/** Descriptors that come and go without a request, such as those of timers and connection pools. */
const SPARE_DESCRIPTORS = 10;
const GARBAGE_CONNECTIONS = 500;
/** Every route is reached in a run of this many requests. */
const FULL_RUN = 50_000;

const startedAtMs = Date.now();
const seconds = () => (Date.now() - startedAtMs) / 1_000;
const report = (line: string) => process.stdout.write(`${seconds().toFixed(1).padStart(6)} s  ${line}\n`);

const { values } = parseArgs({
  options: { seed: { type: "string" }, requests: { type: "string" }, frames: { type: "string" } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
const requests = Number(values.requests ?? "100000");
const frames = Number(values.frames ?? "20000");
report(`seed ${seed}: ${requests} requests, ${frames} frames`);

const folder = await mkdtemp(join(tmpdir(), "tapedeck-fuzz-"));
try {
  await using server = await startServerUnderFuzz(folder, report);
  const tally = new Tally(report);
  await attack(server, tally);
  finish(tally);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function attack(server: ServerUnderFuzz, tally: Tally): Promise<void> {
  const settings = {
    ...server,
    setTier: (email: string, tier: "free" | "pro") => setTier(server.mongodbUri, email, tier),
  };
  const visitors = await openVisitors(settings);
  const run: FuzzRun = { server, visitors, tally, seed };
  report("warm-up");
  await send(run, WARM_UP);
  const before = await untilQuiet(server);
  describe("after the warm-up", before);
  {
    using slow = openSlowConnections(run);
    report(`${slow.count} slow connections are open`);
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await send(run, part);
      report(`${tally.requests} requests, ${tally.frames} frames, ${tally.faults} faults`);
    }
    await sendGarbage(run, GARBAGE_CONNECTIONS);
  }
  await Promise.all(visitors.map((visitor) => visitor.refresh()));
  const after = await untilQuiet(server);
  describe("at the end", after);
  compare(tally, before, after);
  for (const line of server.errors) tally.find("the server logged an error", line.slice(0, 2_000));
}

/** Sends requests and frames until a part of the run is done. */
async function send(run: FuzzRun, part: number): Promise<void> {
  await Promise.all([sendRequests(run, requests * part), sendFrames(run, frames * part)]);
}

function describe(when: string, { rssBytes, heapBytes, descriptors, connections, sockets }: Vitals): void {
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  report(
    `${when}: ${mb(rssBytes)} (heap ${mb(heapBytes)}), ${descriptors} descriptors, ` +
      `${connections} connections, ${sockets} sockets`,
  );
}

function compare(tally: Tally, before: Vitals, after: Vitals): void {
  const ratio = after.rssBytes / before.rssBytes;
  report(`memory at the end is ${ratio.toFixed(2)} times that after the warm-up`);
  if (ratio > MAX_MEMORY_RATIO) tally.find("the server keeps memory", `${ratio.toFixed(2)} times`);
  if (after.connections > 0) tally.find("the server keeps connections", String(after.connections));
  if (after.sockets > 0) tally.find("the server keeps sockets", String(after.sockets));
  if (after.descriptors > before.descriptors + SPARE_DESCRIPTORS)
    tally.find("the server keeps descriptors", `${before.descriptors} before, ${after.descriptors} after`);
}

function finish(tally: Tally): void {
  for (const line of tally.table()) process.stdout.write(`${line}\n`);
  const unreached = tally.neverReached(CALLS.filter((call) => !call.isForOperators).map(({ route }) => route));
  // A short run misses calls that are rare.
  if (tally.requests >= FULL_RUN) for (const route of unreached) tally.find("a route was never reached", route);
  else if (unreached.length > 0) report(`not reached in this short run: ${unreached.join(", ")}`);
  report(`${tally.requests} requests, ${tally.frames} frames; ${tally.statuses()}`);
  for (const finding of tally.findings()) process.stdout.write(`FOUND ${finding}\n`);
  report(tally.faults === 0 ? "no faults" : `${tally.faults} faults; --seed ${seed} repeats the run`);
  if (tally.faults > 0) process.exitCode = 1;
}
