/** A visitor of the soak, who converts, cancels, retries, removes, downloads, signs in and loses the connection. */
import { randomUUID } from "node:crypto";
import { BatchAnswer } from "../../../common/api.ts";
import { isActive, type Job } from "../../../common/job.ts";
import type { LiveView } from "../testing/live-view.ts";
import { createVisitor, persist, type Visitor } from "../testing/visitor.ts";
import { setTier } from "../testing/change-accounts.ts";
import { walkThroughSignIn } from "../testing/test-device.ts";
import type { Ledger } from "./ledger.ts";
import { playFile, readWhole } from "./persistent-calls.ts";
import type { Product } from "../product/product.ts";

/** Tries of a call, 100 ms apart or more: longer than a restart of the server takes on a busy machine. */
const MAX_TRIES = 3_000;
/** From the request to the end of a job, with restarts of the server. */
const END_TIMEOUT_MS = 10 * 60 * 1_000;
/** Short clips, one of each kind of media. */
const PAGES = ["cello", "rain", "tide", "observatory", "tangled-title"];
/** Pages whose video cannot be converted. */
const FAILING_PAGES = ["gone-media", "no-video", "empty"];
const BATCH_SIZE = 3;
/** One file in this many is decoded. */
const PLAYED_SHARE = 0.2;

export interface SoakWorld {
  readonly product: Product;
  readonly ledger: Ledger;
  readonly ffmpegPath: string;
  /** Addresses of the sample site's pages by their names. */
  readonly pages: ReadonlyMap<string, string>;
}

/** @returns names of the sample pages that visitors use */
export const SOAK_PAGES: readonly string[] = [...PAGES, ...FAILING_PAGES];

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

const happens = (share: number): boolean => Math.random() < share;

export class SoakVisitor {
  readonly #world: SoakWorld;
  readonly #visitor: Visitor;
  /** Its first page. */
  readonly #tab: LiveView;
  /** Jobs that must be in the list at the end. */
  readonly #kept = new Set<string>();
  readonly #removed = new Set<string>();
  #isPro = false;

  private constructor(world: SoakWorld, visitor: Visitor, tab: LiveView) {
    this.#world = world;
    this.#visitor = visitor;
    this.#tab = tab;
  }

  static async arrive(world: SoakWorld): Promise<SoakVisitor> {
    const visitor = await createVisitor(world.product.origin, world.ledger.calls, MAX_TRIES);
    const tab = await visitor.openTab();
    // Some networks block WebSockets.
    if (happens(0.3)) await visitor.openTab(["polling"]);
    return new SoakVisitor(world, visitor, tab);
  }

  /** Does one of the things that visitors do; what goes wrong is in the ledger. */
  async visit(): Promise<void> {
    const kinds: Readonly<Record<string, () => Promise<void>>> = {
      single: () => this.#convertAndDownload(),
      cancel: () => this.#cancel(),
      fail: () => this.#failAndRetry(),
      reconnect: () => this.#loseConnection(),
      ...(this.#isPro ? { batch: () => this.#convertBatch() } : { signIn: () => this.#signIn() }),
    };
    const kind = pick(Object.keys(kinds));
    this.#world.ledger.countVisit(kind);
    try {
      await kinds[kind]?.();
    } catch (error) {
      this.#world.ledger.losses.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Checks the list against what the visitor did, and closes the pages. */
  async leave(): Promise<void> {
    const { losses } = this.#world.ledger;
    const list = new Map((await this.#visitor.list()).map((job) => [job.id, job]));
    for (const id of this.#kept) {
      const job = list.get(id);
      if (job === undefined) losses.push(`job ${id} is no longer in its visitor's list`);
      else if (isActive(job.status)) losses.push(`job ${id} is still ${job.status}`);
    }
    for (const id of this.#removed) if (list.has(id)) losses.push(`job ${id} was removed and is in the list`);
    for (const tab of this.#visitor.tabs) tab.close();
    this.#world.ledger.addPages(this.#visitor);
  }

  async #convert(page: string): Promise<Job> {
    const job = await this.#visitor.convert(this.#linkTo(page), pick(["mp3", "mp4"]));
    this.#keep(job);
    return job;
  }

  /** @returns a link that no other request has */
  #linkTo(page: string): string {
    return `${this.#world.pages.get(page)}?soak=${randomUUID()}`;
  }

  #keep({ id }: Job): void {
    this.#visitor.jobIds.add(id);
    this.#kept.add(id);
    this.#world.ledger.asked.add(id);
  }

  #untilEnded(id: string, attempt = 1): Promise<Job> {
    return this.#tab.untilEnded(id, END_TIMEOUT_MS, attempt);
  }

  async #convertAndDownload(): Promise<void> {
    const { id } = await this.#convert(pick(PAGES));
    await this.#finish(await this.#untilEnded(id));
  }

  /** Downloads the file of a job that must be completed, and sometimes removes the job. */
  async #finish(job: Job): Promise<void> {
    if (job.status === "failed" && job.error.reason?.name === "stopped_too_often") {
      // Three kills of the server hit the same job: it says so, and the visitor tries again.
      this.#world.ledger.killedThreeTimes.push(job.id);
      await this.#retry(job);
      return await this.#finish(await this.#untilEnded(job.id, job.attempt + 1));
    }
    if (job.status !== "completed") {
      const reason = job.status === "failed" ? `${job.status} (${job.error.code}: ${job.error.message})` : job.status;
      throw new Error(`job ${job.id} of attempt ${job.attempt} is ${reason}`);
    }
    if (happens(PLAYED_SHARE)) await playFile(this.#visitor, job.id, this.#world.ffmpegPath);
    else await this.#visitor.download(job);
    if (happens(0.6)) await this.#remove(job.id);
  }

  async #remove(id: string): Promise<void> {
    await this.#do("DELETE", `/api/conversions/${id}`);
    this.#kept.delete(id);
    this.#removed.add(id);
  }

  /**
   * Makes a call that changes a job.
   * @returns the changed job; null when its state does not allow the call, as at the repetition of a call
   */
  async #do(method: string, path: string): Promise<Job | null> {
    const answer = await this.#visitor.call(method, path, { accepted: [404, 409] });
    const text = await answer.text();
    return answer.status === 200 ? (JSON.parse(text) as Job) : null;
  }

  /** Cancels at some moment of the job, then retries or removes it. */
  async #cancel(): Promise<void> {
    const { id } = await this.#convert(pick(PAGES));
    const moment = pick(["queued", "pending", "processing"]);
    if (moment !== "queued")
      await this.#tab.until(id, (job) => job.status === moment || !isActive(job.status), END_TIMEOUT_MS);
    await this.#do("DELETE", `/api/conversions/${id}?while=active`);
    const ended = await this.#untilEnded(id);
    if (ended.status === "completed") return await this.#finish(ended);
    if (ended.status !== "canceled") throw new Error(`job ${id} is ${ended.status} instead of canceled`);
    if (happens(0.3)) return await this.#remove(id);
    await this.#retry(ended);
    await this.#finish(await this.#untilEnded(id, ended.attempt + 1));
  }

  async #retry({ id }: Job): Promise<void> {
    await this.#do("POST", `/api/conversions/${id}/retry`);
  }

  async #failAndRetry(): Promise<void> {
    const { id } = await this.#convert(pick(FAILING_PAGES));
    const failed = await this.#untilEnded(id);
    if (failed.status !== "failed") throw new Error(`job ${id} is ${failed.status} instead of failed`);
    await this.#retry(failed);
    await this.#untilEnded(id, failed.attempt + 1);
    await this.#remove(id);
  }

  /** The connection breaks, or the page is loaded again, while a job runs. */
  async #loseConnection(): Promise<void> {
    const { id } = await this.#convert(pick(PAGES));
    await this.#tab.until(id, (job) => job.status === "processing" || !isActive(job.status), END_TIMEOUT_MS);
    if (happens(0.5)) this.#tab.reload();
    else if (this.#tab.socket.connected) this.#tab.socket.io.engine.close();
    await this.#finish(await this.#untilEnded(id));
  }

  /** Signs in, which adopts the jobs of the device, and gets Pro. */
  async #signIn(): Promise<void> {
    const email = `${randomUUID()}@soak.test`;
    await persist(async () => {
      await walkThroughSignIn(this.#visitor.device, { email });
      await setTier(await this.#world.product.databaseUri(), email, "pro");
    });
    this.#isPro = true;
    for (const tab of this.#visitor.tabs) tab.reload();
  }

  async #convertBatch(): Promise<void> {
    const urls = Array.from({ length: BATCH_SIZE }, () => this.#linkTo(pick(PAGES)));
    const headers = { "idempotency-key": randomUUID() };
    const body = { urls, format: pick(["mp3", "mp4"]) };
    const answer = await this.#visitor.call("POST", "/api/batch-conversions", { body, headers });
    const { batchId, jobs } = BatchAnswer.parse(await answer.json());
    for (const job of jobs) this.#keep(job);
    if (jobs.length !== BATCH_SIZE)
      throw new Error(`batch ${batchId} has ${jobs.length} jobs instead of ${BATCH_SIZE}`);
    const ended = await Promise.all(jobs.map(({ id }) => this.#untilEnded(id)));
    if ((await readWhole(this.#visitor, `/api/batch-conversions/${batchId}/zip`)).length === 0)
      throw new Error(`the archive of batch ${batchId} is empty`);
    for (const job of ended) await this.#finish(job);
  }
}
