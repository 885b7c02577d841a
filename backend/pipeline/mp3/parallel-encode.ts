/**
 * Encodes an MP3 on several cores. Encoder lanes get overlapping pieces of the sound in turn, as samples from one
 * decoder or, where it can be cut without loss, as AAC or Opus; their frames are joined to a file that decodes like the one a
 * single encoder would have made.
 */
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { ConversionError } from "../../../common/errors.ts";
import { createFile } from "../../tool-files/tool-files.ts";
import type { Work } from "../pipeline.ts";
import { runFfmpegCommand } from "../process/ffmpeg.ts";
import { NO_SOUND } from "../errors/wording.ts";
import { SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import type { OpusGroup } from "../opus/opus-group.ts";
import type { PlainOpus } from "../opus/plain-opus.ts";
import { BridgeBuilder } from "./bridge-builder.ts";
import { EncoderLane, type EncoderSettings } from "./encoder-lane.ts";
import type { FrameGroup } from "./frame-group.ts";
import type { ExpectedSound } from "./info-frame.ts";
import { encodedFrames, FrameSizes } from "./frame-sizes.ts";
import { JoinedFrames } from "./joined-frames.ts";
import { AacInput, DecodedInput, type LaneInput, OpusInput, type SoundChunk } from "./lane-input.ts";
import { SAMPLES_PER_FRAME, type Frame } from "./mp3-frame.ts";
import { Mp3Writer, type OnWritten } from "./mp3-writer.ts";
import { PieceDistributor } from "./piece-distributor.ts";
import { EncodedLength, PieceGrid } from "./piece-grid.ts";
import { PieceLane } from "./piece-lane.ts";
import { bridgeBitrateKbps } from "./splice.ts";

/** At this length overlaps and joins are a few percent of the work, and a queued piece of samples has only 7 MB. */
const MAX_PIECE_SECONDS = { samples: 20, aac: 60, opus: 60 } as const;

/** Opus that lanes get undecoded. */
type OpusSource = Pick<PlainOpus, "skippedSamples" | "description"> & {
  readonly read: (signal: AbortSignal) => AsyncIterable<OpusGroup>;
};

/** Shorter pieces would be hardly more than overlap. */
export const MIN_PIECE_SECONDS = 8;

export interface Mp3Encode extends Pick<EncoderSettings, "sampleRateHz" | "channelCount" | "bitrateKbps"> {
  /** Arguments for the decoder's ffmpeg: its input, and which stream of it is mapped. */
  readonly inputArgs: readonly string[];
  /**
   * Samples that the AAC's own encoder put before the sound, a multiple of a frame. Present for AAC of this sample rate
   * and channel count, which lanes get undecoded.
   */
  readonly aacPrimingSamples?: number;
  /** Reads that AAC as ADTS. Present where no tool is needed to take it out of its container; then no decoder runs. */
  readonly readAac?: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Present for Opus, in place of all that is about AAC. */
  readonly opus?: OpusSource;
  /** Length of the sound by the source's index. The rest of the last AAC frame is cut off. */
  readonly sampleCount?: number;
  /** Samples of all frames that `readAac` yields, without priming, where the source's index states their number. */
  readonly readSampleCount?: number | undefined;
  /** Writes the source into the decoder, when that reads from `pipe:0`. */
  readonly feed?: (stdin: Writable) => Promise<void>;
  /** Sound after this position is left out. */
  readonly maxSeconds?: number;
  /** Approximate length of the sound, if it is known. */
  readonly expectedSeconds?: number;
  /** @returns how many encoders may run at the same time now; once begun, an encoder goes on to the end */
  readonly encoderCount: () => number;
  /** An ID3v2 tag. Nothing is written before it resolves, and at most five minutes of sound are encoded. */
  readonly tag: Promise<Buffer>;
  readonly outputPath: string;
  /** Called with how much of the sound is encoded. */
  readonly onSeconds: (seconds: number) => void;
  readonly onWritten?: OnWritten;
}

/** The form in which lanes get the sound; only the decoder's output and AAC have to be split into chunks. */
type Input =
  | { readonly kind: "samples"; readonly form: DecodedInput }
  | { readonly kind: "aac"; readonly form: AacInput }
  | { readonly kind: "opus"; readonly form: OpusInput; readonly opus: OpusSource };

function inputOf({ aacPrimingSamples, opus, channelCount }: Mp3Encode): Input {
  if (opus) return { kind: "opus", form: new OpusInput(opus.skippedSamples), opus };
  return aacPrimingSamples === undefined
    ? { kind: "samples", form: new DecodedInput(channelCount) }
    : { kind: "aac", form: new AacInput(aacPrimingSamples) };
}

function gridFor(
  { encoderCount, sampleRateHz, expectedSeconds }: Mp3Encode,
  { stepFrames }: LaneInput,
  maxPieceSeconds: number,
): PieceGrid {
  const framesIn = (seconds: number): number => (seconds * sampleRateHz) / SAMPLES_PER_FRAME;
  return new PieceGrid({
    encoderCount,
    stepFrames,
    maxFrames: framesIn(maxPieceSeconds),
    minFrames: framesIn(MIN_PIECE_SECONDS),
    expectedFrames: expectedSeconds === undefined ? undefined : framesIn(expectedSeconds),
  });
}

/** @returns undefined where it is not sure */
function sureFrames({ readSampleCount, maxSeconds = Infinity, sampleRateHz }: Mp3Encode): number | undefined {
  if (readSampleCount === undefined || readSampleCount > maxSeconds * sampleRateHz) return undefined;
  return encodedFrames(readSampleCount);
}

function expectedSound(encode: Mp3Encode): ExpectedSound | undefined {
  const { sampleCount, expectedSeconds, sampleRateHz } = encode;
  if (sampleCount !== undefined) return { sampleCount, isExact: true, frameCount: sureFrames(encode) };
  return expectedSeconds === undefined
    ? undefined
    : { sampleCount: Math.round(expectedSeconds * sampleRateHz), isExact: false };
}

/** One run of {@link encodeMp3}: source → distributor → lanes → joined frames (and bridges) → writer. */
class ParallelEncode {
  readonly #work: Work;
  readonly #encode: Mp3Encode;
  readonly #folder: string;
  readonly #input: Input;
  readonly #writer: Mp3Writer;
  readonly #encoded: EncodedLength;
  readonly #joined: JoinedFrames;
  readonly #bridges: BridgeBuilder;
  readonly #lanes: PieceLane[] = [];
  readonly #distributor: PieceDistributor;
  readonly #onError: (error: unknown) => void;

  /** @param onError called when something fails in the background; it aborts the signal */
  constructor(work: Work, encode: Mp3Encode, file: FileHandle, onError: (error: unknown) => void) {
    const { sampleRateHz, tag, onWritten } = encode;
    const { signal } = work;
    this.#work = work;
    this.#onError = onError;
    this.#encode = encode;
    this.#folder = dirname(encode.outputPath);
    this.#input = inputOf(encode);
    this.#writer = new Mp3Writer({ file, tag, onWritten, expected: expectedSound(encode), signal, onError });
    const { form, kind } = this.#input;
    // Never fewer than before: an encoder that gets no more sound keeps its last frames back, and no piece behind them
    // could be joined.
    let most = 1;
    const encoderCount = (): number => (most = Math.max(most, encode.encoderCount()));
    const grid = gridFor({ ...encode, encoderCount }, form, MAX_PIECE_SECONDS[kind]);
    this.#encoded = new EncodedLength(grid);
    const frameCount = sureFrames(encode);
    const sizes = new FrameSizes(encode.bitrateKbps, sampleRateHz);
    const aim = frameCount === undefined ? undefined : { frameCount, sizes };
    this.#joined = new JoinedFrames((piece) => grid.startOf(piece), aim);
    this.#bridges = new BridgeBuilder({
      joined: this.#joined,
      encode: (sound) => this.#encodeBridge(sound),
      onFinal: (groups) => this.#writer.write(groups),
      onError,
    });
    this.#distributor = new PieceDistributor({
      input: form,
      lanes: () => this.#openLanes(encoderCount()),
      grid,
      sampleRateHz,
      maxSeconds: encode.maxSeconds,
      tagWritten: this.#writer.tagWritten,
      onPieceStart: (piece, overlap) => this.#bridges.keepOverlap(piece, overlap),
      signal,
    });
  }

  /** @returns length of the sound, in samples of one channel */
  async run(): Promise<number> {
    await this.#distribute();
    for (const lane of this.#lanes) lane.end();
    await Promise.all(this.#lanes.map((lane) => lane.done));
    await this.#bridges.idle;
    if (this.#encoded.frames === 0)
      throw new ConversionError("unavailable", { ...NO_SOUND, detail: "the sound has no frames" });
    this.#writer.write(this.#joined.end(this.#distributor.lastPiece));
    const sampleCount = this.#soundSamples();
    await this.#writer.finish(sampleCount);
    return sampleCount;
  }

  /**
   * Waits until nothing runs in the background. Call it after the abort of the signal, or after {@link run}.
   */
  async close(): Promise<void> {
    for (const lane of this.#lanes) lane.end();
    const lanesDone = this.#lanes.map((lane) => lane.done);
    await Promise.allSettled([...lanesDone, this.#bridges.idle, this.#writer.idle]);
  }

  #openLanes(count: number): readonly PieceLane[] {
    while (this.#lanes.length < count) {
      const lane = this.#openLane(this.#lanes.length);
      lane.done.catch(this.#onError);
      this.#lanes.push(lane);
    }
    return this.#lanes;
  }

  #openLane(index: number): PieceLane {
    const skippedSamples = this.#input.form.skippedSamples(index);
    const settings: EncoderSettings = {
      ...this.#settings(),
      // The description of Opus says how much is left out.
      skipSamples: this.#input.kind === "opus" ? 0 : skippedSamples,
    };
    return new PieceLane(
      (onFrames) => new EncoderLane(this.#work, this.#folder, settings, onFrames),
      (piece, group, laneFrame) => this.#join(piece, group, laneFrame),
      skippedSamples,
    );
  }

  #settings(): EncoderSettings {
    const { sampleRateHz, channelCount, bitrateKbps, opus } = this.#encode;
    return { sampleRateHz, channelCount, bitrateKbps, input: this.#input.kind, description: opus?.description };
  }

  #join(piece: number, group: FrameGroup, laneFrame: number): void {
    this.#encoded.add(piece, group);
    this.#encode.onSeconds((this.#encoded.frames * SAMPLES_PER_FRAME) / this.#encode.sampleRateHz);
    this.#writer.write(this.#joined.add(piece, group, laneFrame));
    this.#bridges.update();
  }

  async #encodeBridge(sound: readonly SoundChunk[]): Promise<Frame[]> {
    const settings: EncoderSettings = {
      ...this.#settings(),
      bitrateKbps: bridgeBitrateKbps(this.#encode.bitrateKbps),
      hasNoReservoir: true,
    };
    const frames: Frame[] = [];
    const onFrames = (group: FrameGroup): void => void frames.push(...group.frames());
    const lane = new EncoderLane(this.#work, this.#folder, settings, onFrames);
    for (const { bytes } of sound) lane.write(bytes);
    lane.end();
    await lane.done;
    return frames;
  }

  /** Distributes the sound, by a tool that decodes it or takes it out of its container where one is needed. */
  async #distribute(): Promise<void> {
    const { readAac } = this.#encode;
    const { signal } = this.#work;
    if (this.#input.kind === "opus") return this.#distributor.distribute(this.#input.opus.read(signal));
    const { form } = this.#input;
    const distribute = (bytes: AsyncIterable<Buffer>): Promise<void> =>
      this.#distributor.distribute(form.splitIntoChunks(bytes));
    await (readAac ? distribute(readAac(signal)) : this.#decode(distribute));
  }

  /** Runs the decoder, or the tool that takes AAC out of its container. */
  async #decode(distribute: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    const { inputArgs, sampleRateHz, channelCount, feed } = this.#encode;
    const outputArgs =
      this.#input.kind === "aac"
        ? ["-c:a", "copy", "-f", "adts"]
        : ["-ar", String(sampleRateHz), "-ac", String(channelCount), "-f", "f32le"];
    const args = [...inputArgs, ...outputArgs, "pipe:1"];
    await runFfmpegCommand(this.#work, { args, folder: this.#folder, runs: "long", feed, onOutput: distribute });
  }

  /**
   * Length of the sound without the rest of the last AAC frames. If the index states a length that differs by more, the
   * index is wrong and is ignored.
   */
  #soundSamples(): number {
    const { sampleCount } = this.#distributor;
    const extraSamples = sampleCount - (this.#encode.sampleCount ?? sampleCount);
    return extraSamples > 0 && extraSamples < 2 * SAMPLES_PER_AAC_FRAME ? sampleCount - extraSamples : sampleCount;
  }
}

/**
 * Writes `outputPath`. When the promise settles, all its processes have ended.
 * @returns length of the sound
 * @throws ConversionError with a code of the table in errors/classify.ts; "unavailable" when there is no sound
 * @throws NotPlainAac, NotPlainOpus when undecoded sound changes after its beginning, so that it has to be decoded
 * @throws `signal.reason` when aborted
 */
export async function encodeMp3(work: Work, encode: Mp3Encode): Promise<{ durationSeconds: number }> {
  const abort = new AbortController();
  const bounded = AbortSignal.any([work.signal, abort.signal]);
  await using file = await createFile(encode.outputPath);
  const encoding = new ParallelEncode({ ...work, signal: bounded }, encode, file, (error) => abort.abort(error));
  try {
    const sampleCount = await encoding.run();
    return { durationSeconds: sampleCount / encode.sampleRateHz };
  } catch (error) {
    work.signal.throwIfAborted();
    abort.signal.throwIfAborted();
    throw error;
  } finally {
    abort.abort();
    await encoding.close();
  }
}
