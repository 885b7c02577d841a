/**
 * One LAME encoder that encodes piece after piece of a sound as one stream.
 * Its ffmpeg starts with the first bytes: a short sound has fewer pieces than there are lanes, and ffmpeg takes an
 * empty AAC stream for a broken one.
 */
import type { Writable } from "node:stream";
import { Changes } from "../../../common/waiting.ts";
import type { Work } from "../pipeline.ts";
import { runFfmpegCommand } from "../process/ffmpeg.ts";
import { FrameSplitter, type FrameGroup } from "./frame-group.ts";
import type { SampleRateHz } from "../aac/sample-rates.ts";

export interface EncoderSettings {
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
  readonly bitrateKbps: number;
  /** The encoder stores the main data of each frame in that frame alone, without the bit reservoir. */
  readonly hasNoReservoir?: boolean;
  /** Interleaved 32-bit float samples, AAC in ADTS of this rate and these channels, or clusters of a WebM. */
  readonly input: "samples" | "aac" | "opus";
  /** What the encoder has to read before its input. */
  readonly description?: Buffer;
  /** Samples to leave out at the beginning of the input. */
  readonly skipSamples?: number;
}

/** A lane with fewer bytes left to encode needs more input; about a second of stereo sound. */
const LOW_WATER_BYTES = { samples: 400_000, aac: 16_000, opus: 16_000 } as const;
/** Enough for ffmpeg to recognise plain AAC or Opus; a longer probe would delay the first frames. */
const PROBE_BYTES = 16_384;

function inputFormatArgs({ input, sampleRateHz, channelCount }: EncoderSettings): string[] {
  switch (input) {
    case "samples":
      return ["-f", "f32le", "-ar", String(sampleRateHz), "-ac", String(channelCount)];
    case "aac":
      return ["-f", "aac", "-probesize", String(PROBE_BYTES)];
    case "opus":
      return ["-f", "matroska", "-probesize", String(PROBE_BYTES)];
  }
}

function encoderArgs(settings: EncoderSettings): string[] {
  const { bitrateKbps, hasNoReservoir = false, skipSamples = 0 } = settings;
  const skip = skipSamples > 0 ? ["-af", `atrim=start_sample=${skipSamples}`] : [];
  const reservoir = hasNoReservoir ? ["-reservoir", "0"] : [];
  // Frames only: the tag and the header frame are written once, for the joined file.
  const bare = ["-write_xing", "0", "-id3v2_version", "0", "-write_id3v1", "0"];
  // Without a flush after each packet many frames arrive at once, and this process wakes up less often.
  const output = ["-flush_packets", "0", "-f", "mp3", "pipe:1"];
  const encoder = ["-c:a", "libmp3lame", "-b:a", `${bitrateKbps}k`];
  return [...inputFormatArgs(settings), "-i", "pipe:0", ...skip, ...encoder, ...reservoir, ...bare, ...output];
}

export class EncoderLane {
  /** Rejects when the encoder fails. Resolves after its last frame, or at {@link end} if there was no input. */
  readonly done: Promise<void>;
  readonly #started = Promise.withResolvers<void>();
  #stdin: Writable | undefined;
  /** Input that arrived before the encoder started; undefined afterwards. */
  #queue: Buffer[] | undefined = [];
  #pendingBytes = 0;
  #isInputEnded = false;
  #isOver = false;
  readonly #lowWaterBytes: number;
  /** Not written yet. */
  #description: Buffer | undefined;
  /** The encoder has taken some bytes, or is over. */
  readonly #changes = new Changes();

  /**
   * @param folder working folder of the encoder's process
   * @param onFrames called with the frames in order; the lane's first frame is frame 0 of its input
   * @param signal its abort ends the encoder
   */
  constructor(work: Work, folder: string, settings: EncoderSettings, onFrames: (group: FrameGroup) => void) {
    this.#lowWaterBytes = LOW_WATER_BYTES[settings.input];
    this.#description = settings.description;
    this.done = this.#started.promise.then(() =>
      this.#pendingBytes > 0 ? this.#run(work, folder, settings, onFrames) : undefined,
    );
    const onOver = (): void => {
      this.#isOver = true;
      this.#changes.announce();
    };
    // The caller, who awaits `done`, gets the error.
    this.done.then(onOver, onOver);
  }

  /** Queues input without waiting; see {@link waitUntilInputNeeded}. */
  write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const description = this.#description;
    this.#description = undefined;
    if (description) this.write(description);
    this.#pendingBytes += bytes.length;
    if (this.#queue) this.#queue.push(bytes);
    else this.#send(bytes);
    this.#started.resolve();
  }

  /** Ends the input. Call it after an abort too: {@link done} of a lane without input settles only then. */
  end(): void {
    this.#isInputEnded = true;
    this.#stdin?.end();
    this.#started.resolve();
  }

  /**
   * Resolves when the lane is about to run out of input, or has ended.
   * @throws the error of the encoder
   */
  async waitUntilInputNeeded(): Promise<void> {
    await this.#changes.until(() => this.needsInput);
    if (this.#isOver) await this.done;
  }

  get needsInput(): boolean {
    return this.#isOver || this.#pendingBytes <= this.#lowWaterBytes;
  }

  #send(bytes: Buffer): void {
    const stdin = this.#stdin;
    if (!stdin) return;
    // All writes of one tick go to the pipe in one system call, because groups of AAC frames have only about 3 kB.
    stdin.cork();
    process.nextTick(() => stdin.uncork());
    stdin.write(bytes, () => {
      this.#pendingBytes -= bytes.length;
      this.#changes.announce();
    });
  }

  #attach(stdin: Writable): void {
    this.#stdin = stdin;
    const queued = this.#queue ?? [];
    this.#queue = undefined;
    for (const bytes of queued) this.#send(bytes);
    if (this.#isInputEnded) stdin.end();
  }

  async #run(
    work: Work,
    folder: string,
    settings: EncoderSettings,
    onFrames: (group: FrameGroup) => void,
  ): Promise<void> {
    const splitter = new FrameSplitter();
    await runFfmpegCommand(work, {
      args: encoderArgs(settings),
      folder,
      runs: "long",
      feed: (stdin) => {
        this.#attach(stdin);
        return Promise.resolve();
      },
      onOutput: async (stdout) => {
        for await (const chunk of stdout) {
          const group = splitter.push(chunk);
          if (group) onFrames(group);
        }
      },
    });
  }
}
