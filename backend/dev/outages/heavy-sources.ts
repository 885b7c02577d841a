/** Links whose metadata, picture or playlist is as large as is taken, while another visitor asks whether the server lives. */
import { setTimeout as delay } from "node:timers/promises";
import { Preview } from "../../../common/api.ts";
import { openDevice, type TestDevice } from "../testing/test-device.ts";
import { processorsOfOthers, readUse } from "./other-programs.ts";
import type { Passage } from "./outage.ts";
import { type Product } from "../product/product.ts";
import { turnMsIn } from "./turn-report.ts";

const PREVIEWS = 20;
/** Two run at a time and eight wait for each of them. The bound is right: others would wait for a minute. */
const ANSWERED = 18;
/** An event loop that is free answers within it on an idle machine. */
const HEALTHZ_MS = 200;
/** Where other programs use more processors, the answer waits for them, and its time says nothing about the server. */
const MOST_PROCESSORS_OF_OTHERS = 0.2;
/** CPU time of the main thread, after which it handles other events; a slow machine needs several times longer. */
const TURN_MS = 100;
/** How long calls are timed before. */
const BEFORE_MS = 5_000;
const PAUSE_MS = 5;
/** As a text; one of a video has about 10 kB. */
const MOST_PICTURE_LENGTH = 5_000;

/** 20 previews at the same time of videos whose metadata have 31 MB each. Two more than may wait are refused. */
export function previewHeavyMetadata(product: Product): Promise<Passage> {
  const name = `${PREVIEWS} previews with metadata of 31 MB each, the last ${PREVIEWS - ANSWERED} refused`;
  return besideHealthChecks(product, name, async (device) => {
    const page = await product.sampleUrl("heavy-metadata");
    const outcomes = await Promise.all(
      Array.from({ length: PREVIEWS }, async (_, n) => {
        const answer = await device.call("POST", "/api/preview", { youtubeUrl: `${page}?${n}` });
        await answer.body?.cancel();
        return answer.status === 503 && answer.headers.has("retry-after") ? "asked to come back" : answer.status;
      }),
    );
    const answered = outcomes.filter((outcome) => outcome === 200).length;
    const refused = outcomes.filter((outcome) => outcome === "asked to come back").length;
    const isRight = answered === ANSWERED && refused === PREVIEWS - ANSWERED;
    return isRight ? [] : [`the previews were answered ${outcomes.join(", ")}`];
  });
}

/** A picture of 320 × 65,500 pixels. */
export function previewTallPicture(product: Product): Promise<Passage> {
  return besideHealthChecks(product, "a picture of 320 × 65,500 pixels", async (device) => {
    const answer = await device.call("POST", "/api/preview", { youtubeUrl: await product.sampleUrl("tall-picture") });
    const { length } = Preview.parse(await answer.json()).thumbnail ?? "";
    return length > 0 && length <= MOST_PICTURE_LENGTH ? [] : [`its thumbnail has ${length} characters`];
  });
}

/** A playlist of eight million empty lines. */
export function convertEmptyLines(product: Product): Promise<Passage> {
  return besideHealthChecks(product, "a playlist of 8 MB of empty lines", async (device) => {
    const live = await device.live();
    const { id } = await device.convert(await product.sampleUrl("empty-lines"));
    const job = await live.untilStatus(id, "completed", "failed");
    return job.status === "failed" && job.error.code === "unavailable" ? [] : [`the job is ${JSON.stringify(job)}`];
  });
}

/** @param run uses the server. @returns its faults */
async function besideHealthChecks(
  product: Product,
  name: string,
  run: (device: TestDevice) => Promise<string[]>,
): Promise<Passage> {
  const device = await openDevice(product.origin);
  const before = new HealthChecks(product);
  await delay(BEFORE_MS);
  const { slowestMs: beforeMs } = await before.end();
  const useBefore = readUse();
  const checks = new HealthChecks(product);
  const linesBefore = product.output.length;
  const beganAtMs = performance.now();
  const faults = await run(device);
  const seconds = (performance.now() - beganAtMs) / 1_000;
  const { slowestMs, count, peakMb } = await checks.end();
  const ofOthers = processorsOfOthers(useBefore, readUse());
  const isIdle = ofOthers <= MOST_PROCESSORS_OF_OTHERS;
  device.close();
  const turnMs = Math.max(0, ...product.output.slice(linesBefore).map((line) => turnMsIn(line) ?? 0));
  if (turnMs > TURN_MS) faults.push(`the main thread took ${turnMs} ms of CPU time before it handled other events`);
  if (isIdle && slowestMs >= HEALTHZ_MS)
    faults.push(
      `/healthz was answered only after ${slowestMs.toFixed(0)} ms; other programs alone cost ${beforeMs.toFixed(0)} ms`,
    );
  return {
    line:
      `${name}: ${seconds.toFixed(1)} s, the slowest of ${count} calls of /healthz ${slowestMs.toFixed(0)} ms ` +
      `(before ${beforeMs.toFixed(0)} ms${isIdle ? "" : `; not judged, other programs used ${ofOthers.toFixed(1)} processors`}), ` +
      `at most ${turnMs} ms of CPU time in one turn, ${peakMb.toFixed(0)} MB`,
    faults,
  };
}

/** Calls /healthz again and again, and looks at the memory of the server. */
class HealthChecks {
  readonly #product: Product;
  readonly #running: Promise<void>;
  #isOver = false;
  #slowestMs = 0;
  #count = 0;
  #peakMb = 0;

  constructor(product: Product) {
    this.#product = product;
    this.#running = this.#run();
  }

  async end() {
    this.#isOver = true;
    await this.#running;
    return { slowestMs: this.#slowestMs, count: this.#count, peakMb: this.#peakMb };
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const beganAtMs = performance.now();
      const answer = await fetch(`${this.#product.origin}/healthz`);
      await answer.body?.cancel();
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - beganAtMs);
      this.#count += 1;
      this.#peakMb = Math.max(this.#peakMb, this.#product.residentMb() ?? 0);
      await delay(PAUSE_MS);
    }
  }
}
