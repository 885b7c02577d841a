/**
 * Encoders that are started while a page is still being read, when the cores have little to do: a start of ffmpeg takes
 * 70 ms of one (its 215 libraries), and the sound that has come by then would wait for it.
 */
import type { Pipeline } from "../pipeline.ts";
import { SAMPLES_PER_AAC_FRAME } from "./aac-frames.ts";
import { EncoderLane, type EncoderSettings } from "./encoder-lane.ts";

interface Spare {
  readonly skipSamples: number;
  readonly lane: EncoderLane;
}

export interface SpareSettings {
  readonly bitrateKbps: number;
  readonly laneCount: number;
}

export class SpareLanes implements AsyncDisposable {
  readonly #bitrateKbps: number;
  readonly #abort = new AbortController();
  readonly #all: readonly Spare[];
  readonly #free: Spare[];

  /** For AAC, which most sites have, with the silence before it that most encoders put there. */
  constructor(pipeline: Pipeline, folder: string, { bitrateKbps, laneCount }: SpareSettings, signal: AbortSignal) {
    this.#bitrateKbps = bitrateKbps;
    const bounded = AbortSignal.any([signal, this.#abort.signal]);
    this.#all = Array.from({ length: laneCount }, (_, lane) => {
      const skipSamples = lane === 0 ? SAMPLES_PER_AAC_FRAME : 0;
      // What AAC is encoded to is the rate and the channels it says it has.
      const settings = { sampleRateHz: 44_100, channelCount: 2, bitrateKbps, input: "aac", skipSamples } as const;
      const spare = { skipSamples, lane: new EncoderLane(pipeline, folder, settings, bounded) };
      // Whoever is handed it learns of a failure; nobody minds that of another.
      spare.lane.done.catch(() => undefined);
      return spare;
    });
    this.#free = [...this.#all];
  }

  /** One that does just that, which is the caller's from then on; undefined: there is none left. */
  take({ bitrateKbps, input, hasNoReservoir = false, skipSamples = 0 }: EncoderSettings): EncoderLane | undefined {
    if (input !== "aac" || hasNoReservoir || bitrateKbps !== this.#bitrateKbps) return undefined;
    const found = this.#free.findIndex((spare) => spare.skipSamples === skipSamples && !spare.lane.isOver);
    return found < 0 ? undefined : this.#free.splice(found, 1)[0]?.lane;
  }

  /** Ends those that nobody took: nobody will. */
  endFree(): void {
    // One that waits for its input hears no signal; it does see its input end.
    for (const { lane } of this.#free.splice(0)) lane.end();
  }

  /** Ends all, and resolves when none is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.endFree();
    this.#abort.abort();
    await Promise.allSettled(this.#all.map(({ lane }) => lane.done));
  }
}
