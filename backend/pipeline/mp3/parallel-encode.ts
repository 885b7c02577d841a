/**
 * Sound to MP3 on several cores. One decoder feeds several encoders with overlapping pieces by turns; their
 * frames are joined to the file that one encoder would have made, as far as a decoder can tell.
 */
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { classifyMediaFailure } from "../classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runTool } from "../tool-process.ts";
import { EncoderLane, type EncoderSettings } from "./encoder-lane.ts";
import { crc16, infoFrame } from "./info-frame.ts";
import { JoinedFrames, LOOK_AHEAD_FRAMES, SEARCH_FRAMES, WARM_UP_FRAMES } from "./joined-frames.ts";
import { SAMPLES_PER_FRAME, type Frame } from "./mp3-frame.ts";
import { bridgeBitrateKbps } from "./splice.ts";

const SAMPLE_BYTES = 4;
/** Long enough that the overlap is a few percent of the work, short enough that a queued piece is 7 MB. */
const PIECE_SECONDS = 20;

export interface Mp3Encode extends EncoderSettings {
  /** Of the decoder: its input, and what is mapped of it. */
  readonly inputArgs: readonly string[];
  /** Of the decoder, when it reads from `pipe:0`. */
  readonly feed?: (stdin: Writable) => Promise<void>;
  /** How many encoders run at a time. */
  readonly encoderCount: number;
  /** Written before the sound: an ID3v2 tag. Nothing is written before it is there. */
  readonly tag: Promise<Buffer>;
  readonly outputPath: string;
  /** How much of the sound is encoded. */
  readonly onSeconds: (seconds: number) => void;
}

/** Writes frames as they become final, and the header once all are there. */
class Mp3Writer {
  readonly #file: FileHandle;
  readonly #headerPosition: number;
  #first: Frame | undefined;
  #frameCount = 0;
  #frameBytes = 0;
  #crc = 0;
  #position: number;

  constructor(file: FileHandle, position: number) {
    this.#file = file;
    this.#headerPosition = position;
    this.#position = position;
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  async write(frames: readonly Frame[]): Promise<void> {
    const [first] = frames;
    if (!first) return;
    if (!this.#first) {
      this.#first = first;
      this.#position += this.#header(0).length;
    }
    const bytes = Buffer.concat(frames.map((frame) => frame.bytes));
    await this.#file.write(bytes, 0, bytes.length, this.#position);
    this.#position += bytes.length;
    this.#frameBytes += bytes.length;
    this.#frameCount += frames.length;
    this.#crc = crc16(bytes, this.#crc);
  }

  async finish(sampleCount: number): Promise<void> {
    if (!this.#first) return;
    const header = this.#header(sampleCount);
    await this.#file.write(header, 0, header.length, this.#headerPosition);
  }

  #header(sampleCount: number): Buffer {
    if (!this.#first) throw new RangeError("there is no frame yet");
    return infoFrame({ frame: this.#first, frameCount: this.#frameCount, frameBytes: this.#frameBytes, sampleCount, crc: this.#crc });
  }
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
  readonly #frameBytes: number;
  #inputBytes = 0;
  #outputFrames = 0;

  /** Of one frame's samples, as they are fed. */
  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  begin(piece: number): void {
    this.#spans.push({ piece, laneStart: this.#inputBytes / this.#frameBytes });
  }

  fed(bytes: number): void {
    this.#inputBytes += bytes;
  }

  sort(frames: readonly Frame[]): Map<number, Frame[]> {
    const sorted = new Map<number, Frame[]>();
    for (const frame of frames) {
      const span = this.#spans.findLast(({ laneStart }) => laneStart <= this.#outputFrames);
      this.#outputFrames += 1;
      if (!span) continue;
      const list = sorted.get(span.piece);
      if (list) list.push(frame);
      else sorted.set(span.piece, [frame]);
    }
    return sorted;
  }
}

/**
 * Writes `outputPath`. Returns how long the sound is.
 * Throws ConversionError as the table of classify.ts says, and `signal.reason` when aborted. In any case no process of it is left.
 */
export async function encodeMp3(pipeline: Pipeline, encode: Mp3Encode, signal: AbortSignal): Promise<{ durationSeconds: number }> {
  const { channelCount, sampleRateHz, outputPath, encoderCount } = encode;
  const { tools, limits } = pipeline;
  const folder = dirname(outputPath);
  const frameBytes = SAMPLES_PER_FRAME * channelCount * SAMPLE_BYTES;
  const pieceFrames = encoderCount === 1 ? Number.MAX_SAFE_INTEGER : Math.ceil((PIECE_SECONDS * sampleRateHz) / SAMPLES_PER_FRAME);
  const abort = new AbortController();
  const bounded = AbortSignal.any([signal, abort.signal]);
  const joined = new JoinedFrames(pieceFrames);
  await using file = await open(outputPath, "w");
  const tag = await encode.tag;
  await file.write(tag, 0, tag.length, 0);
  const writer = new Mp3Writer(file, tag.length);
  let writing = Promise.resolve();
  const write = (frames: Frame[]): void => {
    if (frames.length === 0) return;
    writing = writing.then(() => writer.write(frames));
    writing.then(
      () => encode.onSeconds((writer.frameCount * SAMPLES_PER_FRAME) / sampleRateHz),
      (error: unknown) => abort.abort(error),
    );
  };

  /** By piece: the samples around its beginning, kept until it is joined. */
  const kept = new Map<number, readonly Buffer[]>();
  let bridging = Promise.resolve();
  let isBridging = false;
  const buildBridges = async (): Promise<void> => {
    for (let to = joined.wantsBridgeTo; to !== undefined; to = joined.wantsBridgeTo) {
      const frames: Frame[] = [];
      const settings = { sampleRateHz, channelCount, bitrateKbps: bridgeBitrateKbps(encode.bitrateKbps), hasNoReservoir: true };
      const bridge = new EncoderLane(pipeline, folder, settings, (more) => frames.push(...more), bounded);
      for (const samples of kept.get(to) ?? []) bridge.write(samples);
      bridge.end();
      // oxlint-disable-next-line no-await-in-loop -- the next boundary is found behind this one
      await bridge.done;
      write(joined.bridge(frames));
    }
    isBridging = false;
  };
  const join = (piece: number, frames: readonly Frame[]): void => {
    write(joined.add(piece, frames));
    for (const known of kept.keys()) if (known <= joined.currentPiece) kept.delete(known);
    if (isBridging || joined.wantsBridgeTo === undefined) return;
    isBridging = true;
    bridging = buildBridges();
    bridging.catch((error: unknown) => abort.abort(error));
  };

  const spans = Array.from({ length: encoderCount }, () => new LaneSpans(frameBytes));
  const lanes = spans.map(
    (span) =>
      new EncoderLane(
        pipeline,
        folder,
        encode,
        (frames) => {
          for (const [piece, theirs] of span.sort(frames)) join(piece, theirs);
        },
        bounded,
      ),
  );
  for (const lane of lanes) lane.done.catch((error: unknown) => abort.abort(error));

  let piece = 0;
  let byteCount = 0;
  const decode = async (stdout: AsyncIterable<Buffer>): Promise<void> => {
    /** What the next piece begins with: its warm-up and what it shares with this one. */
    let shared: Buffer[] = [];
    const give = async (samples: Buffer): Promise<void> => {
      const lane = lanes[piece % encoderCount];
      spans[piece % encoderCount]?.fed(samples.length);
      lane?.write(samples);
      // With one encoder nothing else bounds what is queued.
      if (encoderCount === 1) await lane?.hungry();
    };
    spans[0]?.begin(0);
    for await (const chunk of stdout) {
      let rest = chunk;
      while (rest.length > 0) {
        const boundary = (piece + 1) * pieceFrames;
        const end = (boundary + SEARCH_FRAMES + LOOK_AHEAD_FRAMES) * frameBytes;
        const part = rest.subarray(0, Math.min(rest.length, end - byteCount));
        const sharedFrom = (boundary - WARM_UP_FRAMES) * frameBytes - byteCount;
        if (sharedFrom < part.length) shared.push(part.subarray(Math.max(0, sharedFrom)));
        await give(part);
        byteCount += part.length;
        rest = rest.subarray(part.length);
        if (byteCount < end) continue;
        piece += 1;
        await lanes[piece % encoderCount]?.hungry();
        spans[piece % encoderCount]?.begin(piece);
        const beginning = shared;
        kept.set(piece, beginning);
        shared = [];
        for (const samples of beginning) await give(samples);
      }
    }
  };

  try {
    const outcome = await runTool(
      {
        path: tools.ffmpegPath,
        args: [
          "-hide_banner", "-nostats", "-loglevel", "error",
          ...encode.inputArgs,
          "-ar", String(sampleRateHz), "-ac", String(channelCount), "-f", "f32le", "pipe:1",
        ],
        folder,
        timeoutMs: limits.jobTimeoutMs,
        killGraceMs: limits.killGraceMs,
        maxMemoryBytes: limits.maxToolMemoryBytes,
        ...(encode.feed ? { feed: encode.feed } : {}),
        onOutput: decode,
      },
      bounded,
    );
    if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
    for (const lane of lanes) lane.end();
    await Promise.all(lanes.map((lane) => lane.done));
    await bridging;
    write(joined.end(piece));
    await writing;
    const sampleCount = byteCount / (channelCount * SAMPLE_BYTES);
    await writer.finish(sampleCount);
    return { durationSeconds: sampleCount / sampleRateHz };
  } catch (error) {
    signal.throwIfAborted();
    abort.signal.throwIfAborted();
    throw error;
  } finally {
    abort.abort();
    await Promise.allSettled([...lanes.map((lane) => lane.done), bridging, writing]);
  }
}
