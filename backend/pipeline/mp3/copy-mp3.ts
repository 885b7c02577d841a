/** Copies the frames of an MP3 that already has the wanted bit rate, so that its quality stays. Only its tag is new. */
import type { FileHandle } from "node:fs/promises";
import { createFile, openFile } from "../../tool-files/tool-files.ts";
import { writeAt } from "./write-at.ts";
import { FrameSplitter } from "./frame-group.ts";
import type { Frame } from "./mp3-frame.ts";

const READ_BYTES = 1_048_576;
const ID3V2_HEADER_BYTES = 10;
const ID3V1_BYTES = 128;

export interface Mp3Copy {
  readonly sourcePath: string;
  readonly outputPath: string;
  readonly bitrateKbps: number;
  /** An ID3v2 tag, written before the frames. */
  readonly tag: Buffer;
}

/** @returns byte positions of the frames, between the source's own tags (ID3v2.4, 3.1 and 3.4; ID3v1) */
async function framesWithin(file: FileHandle): Promise<{ start: number; end: number }> {
  const { size } = await file.stat();
  const head = await file.read(Buffer.alloc(ID3V2_HEADER_BYTES), 0, ID3V2_HEADER_BYTES, 0);
  const tail = await file.read(Buffer.alloc(3), 0, 3, Math.max(0, size - ID3V1_BYTES));
  const isTagged = head.buffer.toString("latin1", 0, 3) === "ID3";
  const hasFooter = (head.buffer.readUInt8(5) & 0x10) !== 0;
  const tagBytes = head.buffer.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return {
    start: isTagged ? ID3V2_HEADER_BYTES + tagBytes + (hasFooter ? ID3V2_HEADER_BYTES : 0) : 0,
    end: tail.buffer.toString("latin1") === "TAG" ? size - ID3V1_BYTES : size,
  };
}

/** Whether the header frame marks a variable bit rate; for a constant bit rate the mark is "Info". */
function hasVariableBitrateMark({ bytes, mainDataOffset }: Frame): boolean {
  return ["Xing", "VBRI"].includes(bytes.toString("latin1", mainDataOffset, mainDataOffset + 4));
}

/**
 * Copies the frames after a new tag.
 * @returns false when a frame of the source has another bit rate; the file at `outputPath` is incomplete then
 * @throws the errors of reading and writing
 * @throws `signal.reason` when aborted
 */
export async function copyMp3(
  { sourcePath, outputPath, bitrateKbps, tag }: Mp3Copy,
  signal: AbortSignal,
): Promise<boolean> {
  await using source = await openFile(sourcePath);
  const { start, end } = await framesWithin(source);
  if (end <= start) return false;
  await using output = await createFile(outputPath);
  await writeAt(output, tag, 0);
  const splitter = new FrameSplitter();
  let first: Frame | undefined;
  let copiedBytes = 0;
  try {
    for await (const chunk of source.createReadStream({
      start,
      end: end - 1,
      highWaterMark: READ_BYTES,
      signal,
    })) {
      const group = splitter.push(chunk as Buffer);
      first ??= group?.frame(0);
      if (!first || hasVariableBitrateMark(first)) return false;
      // The chunk holds no complete frame.
      if (!group) continue;
      const { sampleRateHz, isMono } = first;
      const isSameKind = (frame: Frame): boolean =>
        frame.bitrateKbps === bitrateKbps && frame.sampleRateHz === sampleRateHz && frame.isMono === isMono;
      if (!group.frames().every(isSameKind)) return false;
      await writeAt(output, group.bytes, tag.length + copiedBytes);
      copiedBytes += group.bytes.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    // The file contains other data than frames.
    if (error instanceof RangeError) return false;
    throw error;
  }
  // An incomplete last frame is not copied.
  return copiedBytes > 0;
}
