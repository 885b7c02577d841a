/** Detects downloads that have stalled, or are so slow that they would hold the place of others for nothing. */
import { ConversionError } from "../../../common/errors.ts";
import type { PipelineLimits } from "../limits.ts";
import type { GuardSession } from "./egress-guard.ts";

export interface StallWatch extends Disposable {
  /** Aborts with ConversionError "timeout" when too few bytes arrive. */
  readonly stalled: AbortSignal;
}

export interface LeastPace {
  readonly windowMs: number;
  /** To be received in each window. */
  readonly bytes: number;
}

export function leastPaceOf({ paceWindowMs, leastBytesPerWindow }: PipelineLimits): LeastPace {
  return { windowMs: paceWindowMs, bytes: leastBytesPerWindow };
}

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** Looks at the bytes that were received within the last window. */
class Pace {
  readonly #least: LeastPace;
  /** Oldest first. The first one is a whole window old, once the watch has lasted that long. */
  #samples: Sample[] = [];

  constructor(least: LeastPace) {
    this.#least = least;
  }

  /** @returns whether a whole window has passed with too few bytes */
  isTooSlow(now: Sample): boolean {
    const { windowMs, bytes } = this.#least;
    this.#samples.push(now);
    const start = this.#samples.findLastIndex(({ atMs }) => now.atMs - atMs >= windowMs);
    if (start === -1) return false;
    this.#samples = this.#samples.slice(start);
    return now.bytes - (this.#samples[0]?.bytes ?? 0) < bytes;
  }
}

const TICKS_PER_WINDOW = 10;

/**
 * Watches the received bytes of a session until disposed. Time in which this process stands still does not count,
 * because it receives nothing then.
 * @param stallTimeoutMs longest time without a byte
 * @param leastPace absent: a byte now and then is enough
 * @param isPaused whether no bytes are expected at the moment; that time does not count
 */
export function watchStall(
  session: GuardSession,
  stallTimeoutMs: number,
  leastPace?: LeastPace,
  isPaused: () => boolean = () => false,
): StallWatch {
  const controller = new AbortController();
  const stop = (detail: string): void => controller.abort(new ConversionError("timeout", { detail }));
  const pace = leastPace && new Pace(leastPace);
  let lastTickMs = performance.now();
  /** Time without pauses. */
  let watchedMs = 0;
  const intervalMs = Math.min(stallTimeoutMs, leastPace?.windowMs ?? Infinity) / TICKS_PER_WINDOW;
  let last: Sample = { atMs: watchedMs, bytes: session.bytesFetched };
  pace?.isTooSlow(last);
  const timer = setInterval(() => {
    const tickMs = performance.now();
    if (!isPaused()) watchedMs += Math.min(tickMs - lastTickMs, 2 * intervalMs);
    lastTickMs = tickMs;
    const now: Sample = { atMs: watchedMs, bytes: session.bytesFetched };
    if (now.bytes !== last.bytes) last = now;
    else if (now.atMs - last.atMs >= stallTimeoutMs) stop(`no byte for ${stallTimeoutMs} ms after ${now.bytes} bytes`);
    if (pace?.isTooSlow(now)) stop(`fewer than ${leastPace?.bytes} bytes in ${leastPace?.windowMs} ms`);
  }, intervalMs);
  return { stalled: controller.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
