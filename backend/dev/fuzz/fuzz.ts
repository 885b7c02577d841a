/**
 * `npm run fuzz`: 100,000 HTTP requests and 20,000 odd frames of sockets to the real server, on this machine only. Up to
 * half of the requests are well-formed and made by Schemathesis, the others are none that an HTTP library sends.
 * Exits with 1 when the server answers with an error of its own or not as its description says, crashes, shows internals,
 * or keeps memory or connections. `--seed N` repeats a run; `--requests N` and `--frames N` set other numbers.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sendDescribedRequests } from "./described-requests.ts";
import type { FuzzRun } from "./fuzz-run.ts";
import { openSlowConnections, sendGarbage } from "./raw-garbage.ts";
import { sendFrames } from "./send-frames.ts";
import { sendRawRequests } from "./raw-requests.ts";
import { startServerUnderFuzz, untilQuiet, type ServerUnderFuzz, type Vitals } from "./server-under-fuzz.ts";
import { Tally } from "./tally.ts";
import { openToken, openVisitors } from "./visitors.ts";

/** The part of a run after which memory is first measured. */
const WARM_UP = 0.1;
const MAX_MEMORY_RATIO = 1.5;
/** Descriptors that come and go without a request, such as those of timers and connection pools. */
const SPARE_DESCRIPTORS = 10;
const GARBAGE_CONNECTIONS = 500;
/** Of all requests. */
const RAW_SHARE = 0.5;

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
  const visitors = await openVisitors(server);
  // Before the requests, which make as many tokens as a plan allows.
  const run: FuzzRun = { server, visitors, token: await openToken(visitors.at(-1)), tally, seed };
  report("warm-up");
  await Promise.all([send(run, WARM_UP), sendDescribed(run, WARM_UP)]);
  const before = await untilQuiet(server);
  describe("after the warm-up", before);
  {
    using slow = openSlowConnections(run);
    report(`${slow.count} slow connections are open`);
    const described = sendDescribed(run, 1 - WARM_UP);
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await send(run, part);
      report(`${tally.rawRequests} raw requests, ${tally.frames} frames, ${tally.faults} faults`);
    }
    await Promise.all([described, sendGarbage(run, GARBAGE_CONNECTIONS)]);
    // Schemathesis finds fewer requests than it was asked for where a call has few parameters.
    await sendRawRequests(run, requests - tally.describedRequests);
  }
  const after = await untilQuiet(server);
  describe("at the end", after);
  compare(tally, before, after);
  for (const line of server.errors) tally.find("the server logged an error", line.slice(0, 2_000));
}

/** Sends raw requests and frames until a part of the run is done. */
async function send(run: FuzzRun, part: number): Promise<void> {
  await Promise.all([sendRawRequests(run, requests * RAW_SHARE * part), sendFrames(run, frames * part)]);
}

/** Sends a part of the well-formed requests. */
function sendDescribed(run: FuzzRun, part: number): Promise<void> {
  return sendDescribedRequests(run, requests * (1 - RAW_SHARE) * part, join(folder, "schemathesis"));
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
  const { describedRequests, rawRequests } = tally;
  report(
    `${describedRequests} well-formed and ${rawRequests} raw requests, ${tally.frames} frames; raw: ${tally.statuses()}`,
  );
  for (const finding of tally.findings()) process.stdout.write(`FOUND ${finding}\n`);
  report(tally.faults === 0 ? "no faults" : `${tally.faults} faults; --seed ${seed} repeats the run`);
  if (tally.faults > 0) process.exitCode = 1;
}
