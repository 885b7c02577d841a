/** Bytes a second over the last few seconds, so that a figure to read neither jumps nor lags. */
const WINDOW_MS = 3_000;
/** Over less than this a burst would look like a speed. */
const LEAST_SPAN_MS = 250;

export class SpeedMeter {
  readonly #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor() {
    this.#samples.push({ atMs: performance.now(), bytes: 0 });
  }

  /** Takes the bytes so far; undefined until there is something to tell. */
  measure(bytes: number, nowMs: number = performance.now()): number | undefined {
    this.#samples.push({ atMs: nowMs, bytes });
    while (this.#samples.length > 2 && (this.#samples[0]?.atMs ?? nowMs) < nowMs - WINDOW_MS) this.#samples.shift();
    const [oldest] = this.#samples;
    const spanMs = nowMs - (oldest?.atMs ?? nowMs);
    return spanMs < LEAST_SPAN_MS ? undefined : Math.round(((bytes - (oldest?.bytes ?? 0)) * 1_000) / spanMs);
  }
}
