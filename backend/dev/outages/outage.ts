/** Visitors of a server while one of its services is away: what they get meanwhile, and what became of their jobs. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { LiveView } from "../testing/live-view.ts";
import { createVisitor, type Visitor } from "../testing/visitor.ts";
import { Ledger } from "./ledger.ts";
import { playFile } from "./persistent-calls.ts";
import type { Product } from "../product/product.ts";
import { findRemains } from "./strays.ts";

export interface Outage {
  readonly name: string;
  readonly seconds: number;
  /** `refused`: the server is not ready, and calls get a 503. `served`: it works, maybe with less comfort. */
  readonly calls: "refused" | "served";
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

export interface Passage {
  readonly line: string;
  readonly faults: readonly string[];
}

/** /readyz says no within 2 s, calls are answered within 5 s; a busy machine may need a little longer. */
const READYZ_MS = 2_000;
const CALL_MS = 5_000;
/** Tries of a call, 100 ms apart. */
export const MAX_TRIES = 3_000;
export const END_TIMEOUT_MS = 5 * 60 * 1_000;
const SETTLE_MS = 60_000;
const POLL_MS = 50;

/** Runs one job that begins before the outage, one that is asked for in it, and one after it. */
export async function passOutage(product: Product, outage: Outage, ffmpegPath: string): Promise<Passage> {
  const ledger = new Ledger();
  const visitor = await createVisitor(product.origin, ledger.calls, MAX_TRIES);
  const tab = await visitor.openTab();
  const cello = await product.sampleUrl("cello");
  const held = await beginHeldJob(product, visitor, tab);
  const beganAtMs = Date.now();
  await outage.begin();
  const [notReadyMs, call] = await Promise.all([
    outage.calls === "refused" ? timeUntilReady(product, false) : null,
    timeCall(product.origin),
  ]);
  const asked = visitor.convert(`${cello}?in=${randomUUID()}`, "mp3");
  // It is awaited after the outage, but may fail before.
  asked.catch(() => undefined);
  await delay(beganAtMs + (outage.seconds * 1_000) / 2 - Date.now());
  await held.release();
  await delay(beganAtMs + outage.seconds * 1_000 - Date.now());
  await outage.end();
  const readyMs = await timeUntilReady(product, true);
  const jobs = [held.id, (await asked).id, (await visitor.convert(`${cello}?after=${randomUUID()}`, "mp3")).id];
  const faults = [...faultsOfAnswers(outage, notReadyMs, call)];
  const ended = await Promise.all(jobs.map((id) => tab.untilEnded(id, END_TIMEOUT_MS)));
  for (const job of ended) {
    if (job.status !== "completed") faults.push(`job ${job.id} is ${JSON.stringify(job)}`);
    else await playFile(visitor, job.id, ffmpegPath);
  }
  faults.push(...(await faultsAfterwards(product, ledger, visitor)));
  const refused = notReadyMs === null ? "ready throughout" : `not ready after ${seconds(notReadyMs)}`;
  return {
    line:
      `${outage.name} for ${outage.seconds} s: ${refused}, a call answered ${call.status} after ${seconds(call.ms)}; ` +
      `ready ${seconds(readyMs)} after its end; ${ended.filter(({ status }) => status === "completed").length} of ` +
      `${jobs.length} jobs completed (attempts ${ended.map(({ attempt }) => attempt).join(", ")}), files play`,
    faults,
  };
}

/** Starts a job and waits until it downloads; `release` lets the site send the rest. */
export async function beginHeldJob(
  product: Product,
  visitor: Visitor,
  tab: LiveView,
): Promise<{ readonly id: string; release(): Promise<void> }> {
  const query = randomUUID();
  const link = `${await product.sampleUrl("held")}?${query}`;
  const { id } = await visitor.convert(link, "mp3");
  await tab.until(id, (job) => job.status === "processing" && job.progress > 0, END_TIMEOUT_MS);
  return {
    id,
    async release() {
      const answer = await fetch(new URL(`/release?${query}`, link));
      await answer.body?.cancel();
    },
  };
}

/** Closes the visitor's pages. @returns what is wrong with pushes, jobs and files */
export async function faultsAfterwards(product: Product, ledger: Ledger, visitor: Visitor): Promise<string[]> {
  for (const id of visitor.jobIds) ledger.asked.add(id);
  for (const tab of visitor.tabs) tab.close();
  ledger.addPages(visitor);
  const deadlineMs = Date.now() + SETTLE_MS;
  for (;;) {
    const { strays, losses } = await findRemains(product, ledger.asked);
    const remains = [...strays, ...losses.filter((loss) => !loss.endsWith("was not asked for"))];
    if (remains.length === 0 || Date.now() > deadlineMs)
      return [...ledger.losses, ...ledger.backward, ...ledger.calls.failed, ...remains];
    await delay(POLL_MS);
  }
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

function faultsOfAnswers(
  { calls }: Outage,
  notReadyMs: number | null,
  { status, retryAfter, ms }: Answer,
): readonly string[] {
  return [
    ...(notReadyMs !== null && notReadyMs > READYZ_MS ? [`/readyz said no only after ${seconds(notReadyMs)}`] : []),
    ...(ms > CALL_MS ? [`a call was answered only after ${seconds(ms)}`] : []),
    ...(calls === "refused" && (status !== 503 || retryAfter === null)
      ? [`a call was answered ${status} with Retry-After ${retryAfter ?? "missing"}`]
      : []),
    ...(calls === "served" && status !== 200 ? [`a call was answered ${status} instead of 200`] : []),
  ];
}

/** A call that needs the database. */
async function timeCall(origin: string): Promise<Answer> {
  const beganAtMs = Date.now();
  const answer = await fetch(`${origin}/api/conversions`);
  await answer.body?.cancel();
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), ms: Date.now() - beganAtMs };
}

/** @returns milliseconds until /readyz says so */
async function timeUntilReady({ origin }: Product, isReady: boolean): Promise<number> {
  const beganAtMs = Date.now();
  for (;;) {
    const answer = await fetch(`${origin}/readyz`);
    await answer.body?.cancel();
    if (answer.ok === isReady) return Date.now() - beganAtMs;
    await delay(POLL_MS);
  }
}
