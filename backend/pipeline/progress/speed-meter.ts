/** The displayed speed is an average over this window, so that it neither jumps nor lags. */
const WINDOW_MS = 3_000;
/** Shorter spans give no speed: a burst would distort it. */
const MIN_SPAN_MS = 250;

/** Measures the speed of a download. */
export class SpeedMeter {
  readonly #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor() {
    this.#samples.push({ atMs: performance.now(), bytes: 0 });
  }

  /**
   * Adds a sample.
   * @param bytes received so far
   * @returns bytes per second; undefined in the first 250 ms
   */
  measure(bytes: number, nowMs: number = performance.now()): number | undefined {
    this.#samples.push({ atMs: nowMs, bytes });
    while (this.#samples.length > 2 && (this.#samples[0]?.atMs ?? nowMs) < nowMs - WINDOW_MS) this.#samples.shift();
    const [oldest] = this.#samples;
    const spanMs = nowMs - (oldest?.atMs ?? nowMs);
    return spanMs < MIN_SPAN_MS ? undefined : Math.round(((bytes - (oldest?.bytes ?? 0)) * 1_000) / spanMs);
  }
}
