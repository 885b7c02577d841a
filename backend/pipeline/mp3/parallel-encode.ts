/**
 * Sound to MP3 on several cores. Several encoders are given overlapping pieces by turns, of samples from one decoder
 * or, where it can be cut without loss, of the AAC itself; their frames are joined to the file that one encoder would
 * have made, as far as a decoder can tell.
 */
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { ConversionError } from "../../../common/errors.ts";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runBoundedTool } from "../process/tool-process.ts";
import { NO_SOUND } from "../errors/wording.ts";
import { writeAt } from "./write-at.ts";
import { AacSplitter, FRAMES_PER_RUN, SAMPLES_PER_AAC_FRAME } from "./aac-frames.ts";
import { EncoderLane, type EncoderSettings } from "./encoder-lane.ts";
import { crc16, infoFrame } from "./info-frame.ts";
import { JoinedFrames, LOOK_AHEAD_FRAMES, SEARCH_FRAMES, WARM_UP_FRAMES } from "./joined-frames.ts";
import type { FrameRun } from "./frame-run.ts";
import { SAMPLES_PER_FRAME, type Frame } from "./mp3-frame.ts";
import { PieceGrid } from "./piece-grid.ts";
import { bridgeBitrateKbps } from "./splice.ts";

const SAMPLE_BYTES = 4;
/** Long enough that overlap and joins are a few percent of the work; of samples, short enough that a queued piece is 7 MB. */
const PIECE_SECONDS = { samples: 20, aac: 60 } as const;

/** Shorter ones are hardly more than overlap. */
export const LEAST_PIECE_SECONDS = 8;

function gridFor({ encoderCount, sampleRateHz, expectedSeconds }: Mp3Encode, mostSeconds: number): PieceGrid {
  const frames = (seconds: number): number => (seconds * sampleRateHz) / SAMPLES_PER_FRAME;
  return new PieceGrid({
    encoderCount,
    mostFrames: frames(mostSeconds),
    leastFrames: frames(LEAST_PIECE_SECONDS),
    ...(expectedSeconds === undefined ? {} : { expectedFrames: frames(expectedSeconds) }),
  });
}

/** What is made before there is a tag to write it behind is kept: 12 MB at 320 kbps. */
const SECONDS_BEFORE_TAG = 300;

export interface Mp3Encode extends Pick<EncoderSettings, "sampleRateHz" | "channelCount" | "bitrateKbps"> {
  /** Of the decoder: its input, and what is mapped of it. */
  readonly inputArgs: readonly string[];
  /**
   * Present for AAC of this rate and these channels, which then is not decoded before it is shared out: how many
   * samples its own encoder put before the sound; a multiple of a frame.
   */
  readonly aacPrimingSamples?: number;
  /** That AAC, in ADTS, where it needs no tool to be taken out of its container; then there is no decoder. */
  readonly readAac?: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** As the source's index says, if it does: what the last frames hold beyond is no sound. */
  readonly sampleCount?: number;
  /** Of the decoder, when it reads from `pipe:0`. */
  readonly feed?: (stdin: Writable) => Promise<void>;
  /** What comes after is left out. */
  readonly mostSeconds?: number;
  /** About how long the sound is, if that is known. */
  readonly expectedSeconds?: number;
  /** How many encoders run at a time. */
  readonly encoderCount: number;
  /** Written before the sound: an ID3v2 tag. Nothing is written before it is there, and little is kept until then. */
  readonly tag: Promise<Buffer>;
  readonly outputPath: string;
  /** How much of the sound is encoded. */
  readonly onSeconds: (seconds: number) => void;
  /** Which bytes of the file are as they will be; null before the first, whatever was there. */
  readonly onWritten?: (final: FinalBytes | null) => void;
}

/** Final frames go to disk by so many bytes: each write takes a thread. */
const WRITE_BYTES = 262_144;

/** Writes frames as they become final, and the header once all are there. */
class Mp3Writer {
  readonly #file: FileHandle;
  readonly #headerPosition: number;
  #first: Frame | undefined;
  #frameCount = 0;
  #frameBytes = 0;
  #crc = 0;
  /** Final, and not written yet: a copy, so that what it was read into is let go while it is young. */
  readonly #waiting = Buffer.allocUnsafeSlow(WRITE_BYTES);
  #waitingBytes = 0;
  #position: number;
  #soundPosition = 0;
  readonly #onWritten: Mp3Encode["onWritten"];

  constructor(file: FileHandle, position: number, onWritten: Mp3Encode["onWritten"]) {
    this.#file = file;
    this.#onWritten = onWritten;
    onWritten?.(null);
    this.#headerPosition = position;
    this.#position = position;
  }

  async write(runs: readonly FrameRun[]): Promise<void> {
    if (!this.#first) {
      this.#first = runs[0]?.frame(0);
      if (!this.#first) return;
      this.#position += this.#header(0).length;
      this.#soundPosition = this.#position;
    }
    for (const { bytes, frameCount } of runs) {
      for (let taken = 0; taken < bytes.length;) {
        // oxlint-disable-next-line no-await-in-loop -- one behind the other
        if (this.#waitingBytes === WRITE_BYTES) await this.#flush();
        const count = bytes.copy(this.#waiting, this.#waitingBytes, taken);
        this.#waitingBytes += count;
        taken += count;
      }
      this.#frameBytes += bytes.length;
      this.#frameCount += frameCount;
      this.#crc = crc16(bytes, this.#crc);
    }
  }

  async #flush(): Promise<void> {
    await writeAt(this.#file, this.#waiting.subarray(0, this.#waitingBytes), this.#position);
    this.#position += this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#onWritten?.({ from: this.#soundPosition, to: this.#position });
  }

  async finish(sampleCount: number): Promise<void> {
    if (!this.#first) return;
    await this.#flush();
    await writeAt(this.#file, this.#header(sampleCount), this.#headerPosition);
  }

  #header(sampleCount: number): Buffer {
    if (!this.#first) throw new RangeError("there is no frame yet");
    return infoFrame({ frame: this.#first, frameCount: this.#frameCount, frameBytes: this.#frameBytes, sampleCount, crc: this.#crc });
  }
}

/** What is shared out: a stretch of the sound, beginning at a sample's position. Of AAC it cannot be cut further. */
interface Stretch {
  readonly bytes: Buffer;
  readonly sampleCount: number;
}

async function* stretchesOf(stdout: AsyncIterable<Buffer>, aacPrimingSamples: number | undefined): AsyncGenerator<Stretch> {
  if (aacPrimingSamples === undefined) {
    for await (const bytes of stdout) yield { bytes, sampleCount: NaN };
    return;
  }
  const splitter = new AacSplitter(FRAMES_PER_RUN + aacPrimingSamples / SAMPLES_PER_AAC_FRAME);
  for await (const chunk of stdout)
    for (const { bytes, frameCount } of splitter.push(chunk)) yield { bytes, sampleCount: frameCount * SAMPLES_PER_AAC_FRAME };
}

/** A piece within the stream of one lane. */
interface Span {
  readonly piece: number;
  /** The lane's own frame at which it begins. */
  readonly laneStart: number;
}

/** Tells a lane's frames apart by the pieces they belong to. */
class LaneSpans {
  readonly #spans: Span[] = [];
  #inputSamples = 0;
  #outputFrames = 0;

  /** What the lane still has to do. */
  get backlogFrames(): number {
    return this.#inputSamples / SAMPLES_PER_FRAME - this.#outputFrames;
  }

  begin(piece: number): void {
    this.#spans.push({ piece, laneStart: this.#inputSamples / SAMPLES_PER_FRAME });
  }

  fed(samples: number): void {
    this.#inputSamples += samples;
  }

  /** By piece, in order. */
  sort(run: FrameRun): [piece: number, run: FrameRun][] {
    const from = this.#outputFrames;
    this.#outputFrames += run.frameCount;
    while ((this.#spans[1]?.laneStart ?? Infinity) <= from) this.#spans.shift();
    return this.#spans.flatMap(({ piece, laneStart }, index): [number, FrameRun][] => {
      const laneEnd = this.#spans[index + 1]?.laneStart ?? Infinity;
      const [first, last] = [Math.max(0, Math.ceil(laneStart) - from), Math.min(run.frameCount, Math.ceil(laneEnd) - from)];
      return first < last ? [[piece, run.slice(first, last)]] : [];
    });
  }
}

/**
 * Writes `outputPath`. Returns how long the sound is.
 * Throws ConversionError as the table of classify.ts says, NotPlainAac when it has to be decoded first after all, and
 * `signal.reason` when aborted. In any case no process of it is left.
 */
export async function encodeMp3(pipeline: Pipeline, encode: Mp3Encode, signal: AbortSignal): Promise<{ durationSeconds: number }> {
  const { channelCount, sampleRateHz, outputPath, encoderCount } = encode;
  const { tools, limits } = pipeline;
  const folder = dirname(outputPath);
  const priming = encode.aacPrimingSamples;
  const input = priming === undefined ? "samples" : "aac";
  const bytesPerSample = channelCount * SAMPLE_BYTES;
  const grid = gridFor(encode, PIECE_SECONDS[input]);
  const boundaryOf = (piece: number): number => grid.startOf(piece);
  const abort = new AbortController();
  const bounded = AbortSignal.any([signal, abort.signal]);
  const joined = new JoinedFrames(boundaryOf);
  await using file = await open(outputPath, "w");
  const ended = Promise.withResolvers<never>();
  const onEnd = (): void => ended.reject(bounded.reason);
  if (bounded.aborted) onEnd();
  else bounded.addEventListener("abort", onEnd, { once: true });
  // A picture may still be waited for while the first frames are made, but not when there will be no others.
  const opened = Promise.race([encode.tag, ended.promise]).then(async (tag) => {
    await writeAt(file, tag, 0);
    return new Mp3Writer(file, tag.length, encode.onWritten);
  });
  let writing: Promise<void> = opened.then(() => undefined);
  writing.catch((error: unknown) => abort.abort(error));
  const write = (runs: readonly FrameRun[]): void => {
    if (runs.length === 0) return;
    writing = writing.then(async () => (await opened).write(runs));
    writing.catch((error: unknown) => abort.abort(error));
  };

  /** By piece: the samples around its beginning, kept until it is joined. */
  const kept = new Map<number, readonly Buffer[]>();
  let bridging = Promise.resolve();
  let isBridging = false;
  const buildBridges = async (): Promise<void> => {
    for (let to = joined.wantsBridgeTo; to !== undefined; to = joined.wantsBridgeTo) {
      const frames: Frame[] = [];
      const settings = { sampleRateHz, channelCount, bitrateKbps: bridgeBitrateKbps(encode.bitrateKbps), hasNoReservoir: true, input } as const;
      const bridge = new EncoderLane(pipeline, folder, settings, (run) => frames.push(...run.frames()), bounded);
      for (const samples of kept.get(to) ?? []) bridge.write(samples);
      bridge.end();
      // oxlint-disable-next-line no-await-in-loop -- the next boundary is found behind this one
      await bridge.done;
      write(joined.bridge(frames));
    }
    isBridging = false;
  };
  /** All that is encoded, also what waits for pieces before it; overlaps count once. */
  let encodedFrames = 0;
  const reached: number[] = [];
  const join = (piece: number, run: FrameRun): void => {
    const [from, to] = [boundaryOf(piece), boundaryOf(piece + 1)];
    const before = reached[piece] ?? Math.max(0, from - WARM_UP_FRAMES);
    const after = before + run.frameCount;
    reached[piece] = after;
    encodedFrames += Math.max(0, Math.min(after, to) - Math.max(before, from));
    encode.onSeconds((encodedFrames * SAMPLES_PER_FRAME) / sampleRateHz);
    write(joined.add(piece, run));
    for (const known of kept.keys()) if (known <= joined.currentPiece) kept.delete(known);
    if (isBridging || joined.wantsBridgeTo === undefined) return;
    isBridging = true;
    bridging = buildBridges();
    bridging.catch((error: unknown) => abort.abort(error));
  };

  const spans = Array.from({ length: encoderCount }, () => new LaneSpans());
  const lanes = spans.map(
    (span, lane) =>
      new EncoderLane(
        pipeline,
        folder,
        { sampleRateHz, channelCount, bitrateKbps: encode.bitrateKbps, input, ...(lane === 0 && priming ? { skipSamples: priming } : {}) },
        (run) => {
          for (const [piece, theirs] of span.sort(run)) join(piece, theirs);
        },
        bounded,
      ),
  );
  for (const lane of lanes) lane.done.catch((error: unknown) => abort.abort(error));

  let piece = 0;
  /** That of the current piece. */
  let current = 0;
  const chooseLane = async (): Promise<void> => {
    await Promise.race(lanes.map((lane) => lane.hungry()));
    const backlog = (lane: number): number => spans[lane]?.backlogFrames ?? Infinity;
    [current = 0] = [...lanes.keys()].filter((lane) => lanes[lane]?.isHungry).toSorted((a, b) => backlog(a) - backlog(b));
  };
  /** Of the next stretch. What its own encoder put before the sound lies before 0. */
  let position = -(priming ?? 0);
  const lastPosition = (encode.mostSeconds ?? Infinity) * sampleRateHz;
  const decode = async (stdout: AsyncIterable<Buffer>): Promise<void> => {
    /** What the next piece begins with: its warm-up and what it shares with this one. */
    let shared: Stretch[] = [];
    const give = async ({ bytes, sampleCount }: Stretch, from: number): Promise<void> => {
      spans[current]?.fed(Math.max(0, from + sampleCount) - Math.max(0, from));
      lanes[current]?.write(bytes);
      // With one encoder nothing else bounds what is queued.
      if (encoderCount === 1) await lanes[current]?.hungry();
    };
    spans[0]?.begin(0);
    for await (const stretch of stretchesOf(stdout, priming)) {
      bounded.throwIfAborted();
      if (position > lastPosition) return;
      if (position > SECONDS_BEFORE_TAG * sampleRateHz) await opened;
      let rest = stretch;
      while (rest.bytes.length > 0) {
        const boundary = boundaryOf(piece + 1);
        const end = (boundary + SEARCH_FRAMES + LOOK_AHEAD_FRAMES) * SAMPLES_PER_FRAME;
        const part = priming === undefined ? cut(rest, 0, (end - position) * bytesPerSample, bytesPerSample) : rest;
        const sharedFrom = (boundary - WARM_UP_FRAMES) * SAMPLES_PER_FRAME - position;
        if (sharedFrom < part.sampleCount) shared.push(priming === undefined ? cut(part, Math.max(0, sharedFrom) * bytesPerSample, Infinity, bytesPerSample) : part);
        await give(part, position);
        position += part.sampleCount;
        rest = { bytes: rest.bytes.subarray(part.bytes.length), sampleCount: NaN };
        if (position < end) continue;
        piece += 1;
        await chooseLane();
        spans[current]?.begin(piece);
        const beginning = shared;
        kept.set(piece, beginning.map(({ bytes }) => bytes));
        shared = [];
        for (const early of beginning) await give(early, 0);
      }
    }
  };
  const demux = async (): Promise<void> => {
    const outcome = await runBoundedTool(
      {
        path: tools.ffmpegPath,
        args: [
          "-hide_banner", "-nostats", "-loglevel", "error",
          ...encode.inputArgs,
          ...(input === "aac" ? ["-c:a", "copy", "-f", "adts"] : ["-ar", String(sampleRateHz), "-ac", String(channelCount), "-f", "f32le"]),
          "pipe:1",
        ],
        folder,
        runs: "long",
        timeoutMs: limits.jobTimeoutMs,
        killGraceMs: limits.killGraceMs,
        maxMemoryBytes: limits.maxToolMemoryBytes,
        ...(encode.feed ? { feed: encode.feed } : {}),
        onOutput: decode,
      },
      bounded,
    );
    if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  };

  try {
    await (encode.readAac ? decode(encode.readAac(bounded)) : demux());
    for (const lane of lanes) lane.end();
    await Promise.all(lanes.map((lane) => lane.done));
    await bridging;
    if (encodedFrames === 0) throw new ConversionError("unavailable", { message: NO_SOUND, detail: "the sound has no frames" });
    write(joined.end(piece));
    await writing;
    const beyond = position - (encode.sampleCount ?? position);
    const sampleCount = beyond > 0 && beyond < 2 * SAMPLES_PER_AAC_FRAME ? position - beyond : position;
    await (await opened).finish(sampleCount);
    return { durationSeconds: sampleCount / sampleRateHz };
  } catch (error) {
    signal.throwIfAborted();
    abort.signal.throwIfAborted();
    throw error;
  } finally {
    abort.abort();
    for (const lane of lanes) lane.end();
    await Promise.allSettled([...lanes.map((lane) => lane.done), bridging, writing]);
  }
}

/** Bytes of decoded sound, from and to whole samples. A sample that came in two chunks stays in two. */
function cut({ bytes }: Stretch, from: number, to: number, bytesPerSample: number): Stretch {
  const part = bytes.subarray(from, Math.min(bytes.length, to));
  return { bytes: part, sampleCount: part.length / bytesPerSample };
}
