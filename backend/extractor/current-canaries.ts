/**
 * Tries the yt-dlp in use regularly on the canaries, so that the operator hears of a failure before visitors do. One
 * process of those that share a data folder does it; all of them read the results.
 */
import { mkdtempDisposable } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Canaries, CanaryFailure } from "./canary.ts";
import { readJson, replaceJson } from "./json-file.ts";
import { MINUTE_MS } from "../../common/durations.ts";

const INTERVAL_MS = 30 * MINUTE_MS;
/** A start has other work first. */
const FIRST_MS = 5 * MINUTE_MS;
/** Servers that started together do not ask the site together. */
const JITTER = 0.2;
/** Within this time, no other process tries the canaries again. */
const SHARED_MS = 20 * MINUTE_MS;

const Results = z.object({
  triedAtMs: z.number(),
  failures: z.array(z.object({ canary: z.string(), reason: z.string() })),
});
type Results = z.infer<typeof Results>;
const NEVER: Results = { triedAtMs: 0, failures: [] };

export interface CurrentCanariesOptions {
  /** Absolute path of a folder that only this class uses. */
  readonly folder: string;
  readonly canaries: Pick<Canaries, "tryCurrent">;
  /** @returns releases the lock; undefined when another process holds it */
  readonly tryLock: (folder: string) => Promise<(() => void) | undefined>;
  /** Called after each try with failures. @param areNew whether a canary fails that passed before */
  readonly onFailing: (areNew: boolean) => void;
  readonly log: { info(line: string): void; warn(line: string): void };
}

export class CurrentCanaries implements AsyncDisposable {
  readonly #options: CurrentCanariesOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CurrentCanariesOptions) {
    this.#options = options;
  }

  /** Begins the schedule. */
  start(): void {
    this.#schedule(FIRST_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort(new Error("the server stops"));
    await this.#running;
  }

  /** @returns the canaries that failed at the last try of any process */
  async failing(): Promise<string[]> {
    return (await this.#read()).failures.map(({ canary }) => canary);
  }

  /** Tries the canaries, unless a process has just done so or does it now. */
  async tryIfDue(): Promise<void> {
    const { folder, tryLock } = this.#options;
    const unlock = await tryLock(folder);
    if (!unlock) return;
    try {
      const before = await this.#read();
      if (Date.now() - before.triedAtMs >= SHARED_MS) await this.#try(before);
    } finally {
      unlock();
    }
  }

  async #try(before: Results): Promise<void> {
    const { onFailing } = this.#options;
    const failures = await this.#tryAll();
    await replaceJson(this.#file, { triedAtMs: Date.now(), failures: [...failures] });
    const areNew = this.#logChanges(before.failures, failures);
    if (failures.length > 0) onFailing(areNew);
  }

  async #tryAll(): Promise<readonly CanaryFailure[]> {
    const { folder, canaries } = this.#options;
    await using workFolder = await mkdtempDisposable(path.join(folder, "try-"));
    return await canaries.tryCurrent(workFolder.path, this.#stopping.signal);
  }

  /** @returns whether a canary fails that passed before */
  #logChanges(before: readonly CanaryFailure[], now: readonly CanaryFailure[]): boolean {
    const { log } = this.#options;
    const has = (failures: readonly CanaryFailure[], canary: string) =>
      failures.some((failure) => failure.canary === canary);
    const begun = now.filter(({ canary }) => !has(before, canary));
    for (const { canary, reason } of begun) log.warn(`the yt-dlp in use cannot read ${canary} any more: ${reason}`);
    for (const { canary } of before)
      if (!has(now, canary)) log.info(`the yt-dlp in use no longer fails to read ${canary}`);
    return begun.length > 0;
  }

  get #file(): string {
    return path.join(this.#options.folder, "results.json");
  }

  async #read(): Promise<Results> {
    return (await readJson(this.#file, Results)) ?? NEVER;
  }

  #schedule(afterMs: number): void {
    const delayMs = afterMs * (1 - JITTER + 2 * JITTER * Math.random());
    this.#timer = setTimeout(() => {
      this.#running = this.tryIfDue()
        .catch((error: unknown) => {
          if (!this.#stopping.signal.aborted)
            this.#options.log.warn(`the yt-dlp in use could not be tried: ${String(error)}`);
        })
        .finally(() => {
          if (!this.#stopping.signal.aborted) this.#schedule(INTERVAL_MS);
        });
    }, delayMs).unref();
  }
}
