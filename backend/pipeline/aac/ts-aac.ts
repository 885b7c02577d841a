/** Reads AAC from an MPEG transport stream (ISO/IEC 13818-1, 2.4), the container of most HLS segments. */
import { NotPlainAac } from "./aac-frames.ts";
import { PACKET_BYTES, SYNC_BYTE } from "../transport/packet-times.ts";
import { readAdtsKind } from "./adts.ts";
import type { PlainAac } from "./plain-aac.ts";
import type { SourceBytes } from "./source-bytes.ts";

/** Stream types (2.4.4.9). */
const ADTS_STREAM = 0x0f;
/** A private stream may have any content, sound included. */
const PRIVATE_STREAM = 0x06;
/** Stream types that hold other sound: MPEG-1 and 2, LATM, AC-3, DTS and their successors. */
const OTHER_SOUND: ReadonlySet<number> = new Set([
  0x03,
  0x04,
  0x11,
  0x80,
  0x81,
  0x82,
  0x83,
  0x84,
  0x85,
  0x86,
  0x87,
  PRIVATE_STREAM,
]);
/** The tables and the first audio packet have to be in this part of the file. */
const HEAD_BYTES = PACKET_BYTES * 2_048;
const WINDOW_BYTES = PACKET_BYTES * 4_096;

interface Packet {
  readonly pid: number;
  /** A table, or a packet of the elementary stream (PES), begins in this packet. */
  readonly isStart: boolean;
  readonly payload: Buffer;
}

/** @returns undefined for a packet without payload */
function readPacket(bytes: Buffer, offset: number): Packet | undefined {
  if (bytes[offset] !== SYNC_BYTE) throw new NotPlainAac("a transport packet does not begin with the sync byte");
  const second = bytes[offset + 1] ?? 0;
  const third = bytes[offset + 2] ?? 0;
  const fourth = bytes[offset + 3] ?? 0;
  const hasError = (second & 0x80) !== 0;
  const isScrambled = (fourth & 0xc0) !== 0;
  if (hasError || isScrambled) throw new NotPlainAac("a transport packet is damaged or scrambled");
  if ((fourth & 0x10) === 0) return undefined;
  const start = offset + 4 + ((fourth & 0x20) === 0 ? 0 : 1 + (bytes[offset + 4] ?? 0));
  return {
    pid: ((second & 0x1f) << 8) | third,
    isStart: (second & 0x40) !== 0,
    payload: bytes.subarray(Math.min(start, offset + PACKET_BYTES), offset + PACKET_BYTES),
  };
}

/** @returns a table without its checksum; undefined for an unusual table that is longer than a packet */
function readTable(payload: Buffer): Buffer | undefined {
  const start = 1 + (payload[0] ?? 0);
  if (payload.length < start + 12) return undefined;
  const end = start + 3 + (payload.readUInt16BE(start + 1) & 0xfff);
  return end <= payload.length ? payload.subarray(start, end - 4) : undefined;
}

/** @returns packet id of the first program's table */
function readProgramPid(payload: Buffer): number | undefined {
  const table = readTable(payload);
  if (!table) return undefined;
  for (let offset = 8; offset + 4 <= table.length; offset += 4)
    if (table.readUInt16BE(offset) !== 0) return table.readUInt16BE(offset + 2) & 0x1fff;
  return undefined;
}

interface SoundStream {
  readonly pid: number;
  readonly streamIndex: number;
}

/** @returns the audio stream of a program; undefined when it is not AAC, and where there are several */
function readSoundStream(payload: Buffer): SoundStream | undefined {
  const table = readTable(payload);
  if (!table) return undefined;
  let found: SoundStream | undefined;
  let streamIndex = 0;
  for (let offset = 12 + (table.readUInt16BE(10) & 0xfff); offset + 5 <= table.length; streamIndex += 1) {
    const type = table.readUInt8(offset);
    if (OTHER_SOUND.has(type) || (found && type === ADTS_STREAM)) return undefined;
    if (type === ADTS_STREAM) found = { pid: table.readUInt16BE(offset + 1) & 0x1fff, streamIndex };
    offset += 5 + (table.readUInt16BE(offset + 3) & 0xfff);
  }
  return found;
}

/** @returns bytes of the elementary stream, without the header of its packets (PES, 2.4.3.6) */
function streamBytes({ isStart, payload }: Packet): Buffer {
  if (!isStart) return payload;
  if (payload.length < 9 || payload.readUIntBE(0, 3) !== 1) throw new NotPlainAac("an audio packet has no start code");
  const start = 9 + payload.readUInt8(8);
  if (start > payload.length) throw new NotPlainAac("the header of an audio packet is longer than a transport packet");
  return payload.subarray(start);
}

async function* readSound(bytes: SourceBytes, pid: number): AsyncGenerator<Buffer> {
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let position = 0; ;) {
    const read = await bytes.fill(window, position, PACKET_BYTES);
    const whole = read.length - (read.length % PACKET_BYTES);
    if (whole === 0) return;
    const parts: Buffer[] = [];
    for (let offset = 0; offset < whole; offset += PACKET_BYTES) {
      const second = read[offset + 1] ?? 0;
      // Most packets belong to the video, so their packet id is compared before anything else is read.
      if ((((second & 0x1f) << 8) | (read[offset + 2] ?? 0)) !== pid && read[offset] === SYNC_BYTE) continue;
      const packet = readPacket(read, offset);
      if (packet) parts.push(streamBytes(packet));
    }
    // Concatenating copies the bytes, because the window is filled again.
    if (parts.length > 0) yield Buffer.concat(parts);
    position += whole;
  }
}

/** @returns undefined when the file is not a transport stream, or its first sound is not plain AAC */
export async function findTsAac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  const head = await bytes.fill(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES);
  if (head[0] !== SYNC_BYTE || head[PACKET_BYTES] !== SYNC_BYTE) return undefined;
  try {
    return readHead(head);
  } catch (error) {
    if (error instanceof NotPlainAac) return undefined;
    throw error;
  }
}

/** Follows the tables to the first audio stream and reads the header of its first frame. */
function readHead(head: Buffer): PlainAac | undefined {
  let programPid: number | undefined;
  let sound: SoundStream | undefined;
  for (let offset = 0; offset + PACKET_BYTES <= head.length; offset += PACKET_BYTES) {
    const packet = readPacket(head, offset);
    if (!packet?.isStart) continue;
    // The table of programs has packet id 0.
    if (packet.pid === 0) programPid ??= readProgramPid(packet.payload);
    else if (packet.pid === programPid && !sound) {
      sound = readSoundStream(packet.payload);
      if (!sound) return undefined;
    } else if (packet.pid === sound?.pid) {
      const kind = readAdtsKind(streamBytes(packet), 0);
      const { pid, streamIndex } = sound;
      return (
        kind && { container: "mpegts", streamIndex, ...kind, primingSamples: 0, read: (from) => readSound(from, pid) }
      );
    }
  }
  return undefined;
}
