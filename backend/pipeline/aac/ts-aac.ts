/** AAC in an MPEG transport stream (ISO/IEC 13818-1, 2.4), as segments of HLS hold it. */
import { NotPlainAac } from "./aac-frames.ts";
import { readAdtsKind } from "./adts.ts";
import type { PlainAac } from "./plain-aac.ts";
import type { SourceBytes } from "./source-bytes.ts";

const PACKET_BYTES = 188;
const SYNC = 0x47;
const ADTS_STREAM = 0x0f;
/** Kinds of streams with sound, as far as they have a number of their own; a private one may be sound too. */
const PRIVATE_STREAM = 0x06;
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
/** Within as much a stream says what is in it. */
const HEAD_BYTES = PACKET_BYTES * 2_048;
const WINDOW_BYTES = PACKET_BYTES * 4_096;

interface Packet {
  readonly pid: number;
  /** A table or a packet of a stream begins with it. */
  readonly isStart: boolean;
  readonly payload: Buffer;
}

function readPacket(bytes: Buffer, offset: number): Packet | undefined {
  if (bytes[offset] !== SYNC) throw new NotPlainAac("a packet of the transport stream is not where it should be");
  const [second = 0, third = 0, fourth = 0] = [bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]];
  // With an error that the receiver has seen, or scrambled.
  if ((second & 0x80) !== 0 || (fourth & 0xc0) !== 0)
    throw new NotPlainAac("a packet of the transport stream cannot be read");
  if ((fourth & 0x10) === 0) return undefined;
  const start = offset + 4 + ((fourth & 0x20) === 0 ? 0 : 1 + (bytes[offset + 4] ?? 0));
  return {
    pid: ((second & 0x1f) << 8) | third,
    isStart: (second & 0x40) !== 0,
    payload: bytes.subarray(Math.min(start, offset + PACKET_BYTES), offset + PACKET_BYTES),
  };
}

/** A table that begins and ends in one packet; longer ones are out of the ordinary. */
function section(payload: Buffer): Buffer | undefined {
  const start = 1 + (payload[0] ?? 0);
  if (payload.length < start + 12) return undefined;
  const end = start + 3 + (payload.readUInt16BE(start + 1) & 0xfff);
  // Without its checksum.
  return end <= payload.length ? payload.subarray(start, end - 4) : undefined;
}

/** Of the first program. */
function programTablePid(payload: Buffer): number | undefined {
  const table = section(payload);
  if (!table) return undefined;
  for (let offset = 8; offset + 4 <= table.length; offset += 4)
    if (table.readUInt16BE(offset) !== 0) return table.readUInt16BE(offset + 2) & 0x1fff;
  return undefined;
}

/** The first sound, if it is AAC. */
function soundIn(payload: Buffer): { pid: number; streamIndex: number } | undefined {
  const table = section(payload);
  if (!table) return undefined;
  let streamIndex = 0;
  for (let offset = 12 + (table.readUInt16BE(10) & 0xfff); offset + 5 <= table.length; streamIndex += 1) {
    const type = table.readUInt8(offset);
    if (type === ADTS_STREAM) return { pid: table.readUInt16BE(offset + 1) & 0x1fff, streamIndex };
    if (OTHER_SOUND.has(type)) return undefined;
    offset += 5 + (table.readUInt16BE(offset + 3) & 0xfff);
  }
  return undefined;
}

/** What a packet carries of a stream, without the header that a stream's own packet begins with. */
function streamBytes({ isStart, payload }: Packet): Buffer {
  if (!isStart) return payload;
  if (payload.length < 9 || payload.readUIntBE(0, 3) !== 1)
    throw new NotPlainAac("a packet of the sound does not begin as it should");
  const start = 9 + payload.readUInt8(8);
  if (start > payload.length) throw new NotPlainAac("a packet of the sound begins in several pieces");
  return payload.subarray(start);
}

async function* readSound(bytes: SourceBytes, pid: number): AsyncGenerator<Buffer> {
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let position = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one stretch after the other
    const read = await bytes.fill(window, position, PACKET_BYTES);
    const whole = read.length - (read.length % PACKET_BYTES);
    if (whole === 0) return;
    const parts: Buffer[] = [];
    for (let offset = 0; offset < whole; offset += PACKET_BYTES) {
      const second = read[offset + 1] ?? 0;
      // Most packets are picture: told apart before anything else is looked at.
      if ((((second & 0x1f) << 8) | (read[offset + 2] ?? 0)) !== pid && read[offset] === SYNC) continue;
      const packet = readPacket(read, offset);
      if (packet) parts.push(streamBytes(packet));
    }
    // A copy: the window is filled anew.
    if (parts.length > 0) yield Buffer.concat(parts);
    position += whole;
  }
}

/** Undefined when it is no transport stream, or its first sound is not plain AAC. */
export async function findTsAac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  const head = await bytes.fill(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES);
  if (head[0] !== SYNC || head[PACKET_BYTES] !== SYNC) return undefined;
  let programPid: number | undefined;
  let sound: { pid: number; streamIndex: number } | undefined;
  try {
    for (let offset = 0; offset + PACKET_BYTES <= head.length; offset += PACKET_BYTES) {
      const packet = readPacket(head, offset);
      if (!packet?.isStart) continue;
      if (packet.pid === 0) programPid ??= programTablePid(packet.payload);
      else if (packet.pid === programPid && !sound) {
        sound = soundIn(packet.payload);
        if (!sound) return undefined;
      } else if (packet.pid === sound?.pid) {
        const kind = readAdtsKind(streamBytes(packet), 0);
        const { pid, streamIndex } = sound;
        return (
          kind && { container: "mpegts", streamIndex, ...kind, primingSamples: 0, read: (from) => readSound(from, pid) }
        );
      }
    }
  } catch (error) {
    if (error instanceof NotPlainAac) return undefined;
    throw error;
  }
  return undefined;
}
