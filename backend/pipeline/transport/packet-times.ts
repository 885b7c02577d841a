/** The times in the packets of a transport stream (ISO/IEC 13818-1, 2.4). Pure. */

export const PACKET_BYTES = 188;
export const SYNC_BYTE = 0x47;
export const TICKS_PER_SECOND = 90_000;
/** A time has 33 bits, and begins anew after 26.5 hours. */
export const WRAP_TICKS = 2 ** 33;

/** Where the times stand in a packet, in bytes. */
export interface TimesOfPacket {
  readonly pid: number;
  /** "other": it may be text, and far from the one before. */
  readonly kind: "picture" | "sound" | "other";
  /** Of the frames that begin in the packet, and some of their header; 0 where the header does not say. */
  readonly bytes: number;
  /** The clock of the program. */
  readonly clockAt?: number;
  /** When what begins in the packet is shown or heard (PTS). */
  readonly shownAt?: number;
  /** When it is decoded (DTS). Absent: then too. */
  readonly decodedAt?: number;
}

/** Ids of streams whose packets have no times (2.4.3.7). */
const WITHOUT_TIMES: ReadonlySet<number> = new Set([0xbc, 0xbe, 0xbf, 0xf0, 0xf1, 0xf2, 0xf8, 0xff]);
/** Of MPEG, before all its pictures. Other sound is private, as texts are. */
const FIRST_SOUND = 0xc0;
const FIRST_PICTURE = 0xe0;
const LAST_PICTURE = 0xef;

export function pidOf(packet: Buffer): number {
  return packet.readUInt16BE(1) & 0x1fff;
}

/** @returns undefined for a packet without times, and for a damaged one */
export function findTimes(packet: Buffer): TimesOfPacket | undefined {
  const isDamaged = (packet.readUInt8(1) & 0x80) !== 0;
  if (isDamaged) return undefined;
  const [isStart, hasExtra] = [(packet.readUInt8(1) & 0x40) !== 0, (packet.readUInt8(3) & 0x20) !== 0];
  const extraBytes = hasExtra ? packet.readUInt8(4) : 0;
  const hasClock = extraBytes >= 7 && (packet.readUInt8(5) & 0x10) !== 0;
  const header = hasExtra ? 5 + extraBytes : 4;
  const stream = isStart ? streamAt(packet, header) : undefined;
  if (!hasClock && stream === undefined) return undefined;
  const flags = stream === undefined ? 0 : timeFlags(packet, header);
  return {
    pid: pidOf(packet),
    kind: kindOf(stream),
    bytes: stream === undefined ? 0 : packet.readUInt16BE(header + 4),
    ...(hasClock && { clockAt: 6 }),
    ...((flags & 0x80) !== 0 && { shownAt: header + 9 }),
    ...((flags & 0xc0) === 0xc0 && { decodedAt: header + 14 }),
  };
}

function kindOf(stream = 0): TimesOfPacket["kind"] {
  if (stream < FIRST_SOUND || stream > LAST_PICTURE) return "other";
  return stream < FIRST_PICTURE ? "sound" : "picture";
}

/** @returns which times follow; none where they go on in the next packet */
function timeFlags(packet: Buffer, header: number): number {
  const flags = packet.readUInt8(header + 7);
  const end = header + ((flags & 0x40) === 0 ? 14 : 19);
  return end <= PACKET_BYTES ? flags : 0;
}

/** @returns the id of the stream whose header stands there, if it can have times */
function streamAt(packet: Buffer, header: number): number | undefined {
  if (header + 9 > PACKET_BYTES || packet.readUIntBE(header, 3) !== 1) return undefined;
  const id = packet.readUInt8(header + 3);
  return id < 0xbc || WITHOUT_TIMES.has(id) ? undefined : id;
}

/** @param at of {@link TimesOfPacket}: `shownAt` or `decodedAt` */
export function ticksAt(packet: Buffer, at: number): number {
  const high = (packet.readUInt8(at) >> 1) & 7;
  return high * 2 ** 30 + (packet.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (packet.readUInt16BE(at + 3) >> 1);
}

function writeTicks(packet: Buffer, at: number, ticks: number): void {
  const [high, middle, low] = [Math.floor(ticks / 2 ** 30), Math.floor(ticks / 2 ** 15) % 2 ** 15, ticks % 2 ** 15];
  // Each third is followed by a bit that is 1.
  packet.writeUInt8((packet.readUInt8(at) & 0xf0) | (high << 1) | 1, at);
  packet.writeUInt16BE((middle << 1) | 1, at + 1);
  packet.writeUInt16BE((low << 1) | 1, at + 3);
}

/** @returns ticks from one time to another, which may be before it: at most half of what the bits can count */
export function ticksBetween(from: number, to: number): number {
  return wrapped(to - from + WRAP_TICKS / 2) - WRAP_TICKS / 2;
}

const wrapped = (ticks: number): number => ((ticks % WRAP_TICKS) + WRAP_TICKS) % WRAP_TICKS;

/** Moves all times of a packet. @param ticks may be negative */
export function shiftTimes(packet: Buffer, { clockAt, shownAt, decodedAt }: TimesOfPacket, ticks: number): void {
  for (const at of [shownAt, decodedAt])
    if (at !== undefined) writeTicks(packet, at, wrapped(ticksAt(packet, at) + ticks));
  if (clockAt === undefined) return;
  const last = packet.readUInt8(clockAt + 4);
  const clock = wrapped(packet.readUInt32BE(clockAt) * 2 + (last >> 7) + ticks);
  packet.writeUInt32BE(Math.floor(clock / 2), clockAt);
  packet.writeUInt8((last & 0x7f) | ((clock % 2) << 7), clockAt + 4);
}
