/**
 * One LAME encoder that encodes piece after piece of a sound, as one stream.
 * Its ffmpeg starts with the first bytes: a short sound has fewer pieces than there are lanes, and ffmpeg takes an
 * empty AAC stream for a broken one.
 */
import type { Writable } from "node:stream";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runBoundedTool } from "../process/tool-process.ts";
import { FrameSplitter, type FrameRun } from "./frame-run.ts";
import type { SampleRateHz } from "./mp3-frame.ts";

export interface EncoderSettings {
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
  readonly bitrateKbps: number;
  /** Each frame with its own bits alone. */
  readonly hasNoReservoir?: boolean;
  /** What it is given: interleaved 32-bit float samples, or AAC in ADTS of this rate and these channels. */
  readonly input: "samples" | "aac";
  /** Left out at the very beginning. */
  readonly skipSamples?: number;
}

/** A lane that has less than this left to encode is given more; about a second of stereo sound. */
const LOW_WATER_BYTES = { samples: 400_000, aac: 16_000 } as const;
/** Enough to tell what plain AAC is; looking for longer would hold the sound up. */
const AAC_PROBE_BYTES = 16_384;

export class EncoderLane {
  /** Rejects when the encoder fails; resolves after its last frame, or at {@link end} when it never got a byte. */
  readonly done: Promise<void>;
  readonly #started = Promise.withResolvers<void>();
  #stdin: Writable | undefined;
  /** Given before it runs. */
  #queue: Buffer[] | undefined = [];
  #pendingBytes = 0;
  #isEnded = false;
  #isOver = false;
  readonly #lowWaterBytes: number;
  #wake = Promise.withResolvers<void>();

  /** `onFrames` gets the frames in order; the first frame of the lane is frame 0 of what it was given. */
  constructor(pipeline: Pipeline, folder: string, settings: EncoderSettings, onFrames: (run: FrameRun) => void, signal: AbortSignal) {
    this.#lowWaterBytes = LOW_WATER_BYTES[settings.input];
    this.done = this.#started.promise.then(() => (this.#pendingBytes > 0 ? this.#run(pipeline, folder, settings, onFrames, signal) : undefined));
    // Awaited by whoever feeds it; a failure in between is seen there.
    const over = (): void => {
      this.#isOver = true;
      this.#wake.resolve();
    };
    this.done.then(over, over);
  }

  write(samples: Buffer): void {
    if (samples.length === 0) return;
    this.#pendingBytes += samples.length;
    if (this.#queue) this.#queue.push(samples);
    else this.#send(samples);
    this.#started.resolve();
  }

  /** No more bytes follow. Call it always, also after an abort: {@link done} of a lane without bytes settles only then. */
  end(): void {
    this.#isEnded = true;
    this.#stdin?.end();
    this.#started.resolve();
  }

  /** Resolves when it is about to run out of work. */
  async hungry(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- each turn waits for bytes to have gone
    while (!this.isHungry) await this.#wake.promise;
    // Throws what it has failed with.
    if (this.#isOver) await this.done;
  }

  get isHungry(): boolean {
    return this.#isOver || this.#pendingBytes <= this.#lowWaterBytes;
  }

  #send(samples: Buffer): void {
    const stdin = this.#stdin;
    if (!stdin) return;
    // What is given in one go is sent in one: AAC comes by some 3 kB.
    stdin.cork();
    process.nextTick(() => stdin.uncork());
    stdin.write(samples, () => {
      this.#pendingBytes -= samples.length;
      this.#wake.resolve();
      this.#wake = Promise.withResolvers();
    });
  }

  async #run(pipeline: Pipeline, folder: string, { sampleRateHz, channelCount, bitrateKbps, hasNoReservoir = false, input, skipSamples = 0 }: EncoderSettings, onFrames: (run: FrameRun) => void, signal: AbortSignal): Promise<void> {
    const { tools, limits } = pipeline;
    const splitter = new FrameSplitter();
    const outcome = await runBoundedTool(
      {
        path: tools.ffmpegPath,
        args: [
          "-hide_banner", "-nostats", "-loglevel", "error",
          ...(input === "aac"
            ? ["-f", "aac", "-probesize", String(AAC_PROBE_BYTES), "-i", "pipe:0"]
            : ["-f", "f32le", "-ar", String(sampleRateHz), "-ac", String(channelCount), "-i", "pipe:0"]),
          ...(skipSamples > 0 ? ["-af", `atrim=start_sample=${skipSamples}`] : []),
          "-c:a", "libmp3lame", "-b:a", `${bitrateKbps}k`, ...(hasNoReservoir ? ["-reservoir", "0"] : []),
          // Bare frames: tags and the header are written once, by whoever joins them. Many at a time: each would wake us.
          "-write_xing", "0", "-id3v2_version", "0", "-write_id3v1", "0", "-flush_packets", "0", "-f", "mp3", "pipe:1",
        ],
        folder,
        runs: "long",
        timeoutMs: limits.jobTimeoutMs,
        killGraceMs: limits.killGraceMs,
        maxMemoryBytes: limits.maxToolMemoryBytes,
        feed: (stdin) => {
          this.#stdin = stdin;
          const early = this.#queue ?? [];
          this.#queue = undefined;
          for (const samples of early) this.#send(samples);
          if (this.#isEnded) stdin.end();
          return Promise.resolve();
        },
        onOutput: async (stdout) => {
          for await (const chunk of stdout) {
            const run = splitter.push(chunk as Buffer);
            if (run) onFrames(run);
          }
        },
      },
      signal,
    );
    if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  }
}
