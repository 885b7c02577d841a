/** Packets of Opus in the form in which a decoder reads them: a WebM, with clusters that are the groups (RFC 9559). Pure. */
import { ID } from "../webm/element-ids.ts";
import { NotPlainOpus, OPUS_RATE_HZ, SAMPLES_PER_PACKET } from "./plain-opus.ts";

/** Six packets last as long as five MP3 frames, so a group ends where a piece may begin. */
export const PACKETS_PER_GROUP = 6;
export const FRAMES_PER_GROUP = 5;

const PACKET_MS = 20;
/** The only track's number, as blocks state it. */
const TRACK = 0x81;
/** What is the same in all files: header, a segment of unknown length, milliseconds as the unit of time. */
const FILE_HEAD = Buffer.from(
  "1a45dfa38b4282847765626d428781041853806701ffffffffffffff1549a966872ad7b1830f4240",
  "hex",
);
/** Number 1, unique number 1, sound, "A_OPUS". */
const TRACK_HEAD = Buffer.from("d7810173c581018381028686415f4f505553", "hex");

/** Id and a size of four bytes. */
const CLUSTER_HEADER_BYTES = 8;
const TIMESTAMP_BYTES = 10;
/** Track number, timestamp and flags. */
const BLOCK_HEAD_BYTES = 4;
const PADDING_BYTES = 11;
const FOUR_BYTES_FOLLOW = 0x1000_0000;
const KEY_FRAME = 0x80;

export interface OpusPacket {
  readonly bytes: Buffer;
  /** Samples at its end that are no sound. Above 0 for the last packet only. */
  readonly paddingSamples: number;
}

export interface OpusGroup {
  readonly bytes: Buffer;
  /** Samples of one channel, without padding. */
  readonly sampleCount: number;
}

/**
 * Checks that a packet can be decoded without those long before it, and that it holds one frame of 20 ms: mode CELT
 * only, as encoders of music write it (RFC 6716, 3.1).
 * @throws NotPlainOpus
 */
export function checkPacket(packet: Buffer): void {
  const first = packet[0];
  const configuration = (first ?? 0) >>> 3;
  if (first === undefined || configuration < 16 || configuration % 4 !== 3 || (first & 0x3) !== 0)
    throw new NotPlainOpus(`a packet begins with ${first}`);
}

/**
 * Writes what comes before the first group.
 * @param head the stream's own description (RFC 7845, 5.1), 19 bytes
 */
export function describeStream(head: Buffer): Buffer {
  const delay = Buffer.from("56aa88" + "00".repeat(8), "hex");
  delay.writeBigUInt64BE(BigInt(Math.round((skippedSamplesOf(head) * 1e9) / OPUS_RATE_HZ)), 3);
  const sound = Buffer.from("e189b584473b80009f8100", "hex");
  sound[sound.length - 1] = head[9] ?? 0;
  const entry = Buffer.concat([TRACK_HEAD, Buffer.from([0x63, 0xa2, 0x80 | head.length]), head, delay, sound]);
  const headers = Buffer.from([0x16, 0x54, 0xae, 0x6b, 0x80 | (entry.length + 2), 0xae, 0x80 | entry.length]);
  return Buffer.concat([FILE_HEAD, headers, entry]);
}

/** Samples that a decoder leaves out at its beginning. */
export function skippedSamplesOf(head: Buffer): number {
  return head.readUInt16LE(10);
}

/** @param first number of the first packet among all of the stream */
export function writeGroup(packets: readonly OpusPacket[], first: number): OpusGroup {
  const contentBytes = packets.reduce((sum, packet) => sum + blockBytes(packet), TIMESTAMP_BYTES);
  const bytes = Buffer.allocUnsafe(CLUSTER_HEADER_BYTES + contentBytes);
  bytes.writeUInt32BE(ID.cluster, 0);
  bytes.writeUInt32BE(FOUR_BYTES_FOLLOW | contentBytes, 4);
  bytes[CLUSTER_HEADER_BYTES] = ID.timestamp;
  bytes[CLUSTER_HEADER_BYTES + 1] = 0x88;
  bytes.writeBigUInt64BE(BigInt(first * PACKET_MS), CLUSTER_HEADER_BYTES + 2);
  let at = CLUSTER_HEADER_BYTES + TIMESTAMP_BYTES;
  let sampleCount = 0;
  for (const [index, packet] of packets.entries()) {
    at = writeBlock(bytes, at, packet, index * PACKET_MS);
    sampleCount += SAMPLES_PER_PACKET - packet.paddingSamples;
  }
  return { bytes, sampleCount };
}

/** Bytes of a block with its head and the headers around it. */
function blockBytes({ bytes, paddingSamples }: OpusPacket): number {
  const block = 5 + BLOCK_HEAD_BYTES + bytes.length;
  return paddingSamples === 0 ? block : 5 + block + PADDING_BYTES;
}

/** @returns the offset after it */
function writeBlock(into: Buffer, offset: number, { bytes, paddingSamples }: OpusPacket, relativeMs: number): number {
  let at = offset;
  const writeHeader = (id: number, size: number): void => {
    into[at] = id;
    into.writeUInt32BE(FOUR_BYTES_FOLLOW | size, at + 1);
    at += 5;
  };
  const size = BLOCK_HEAD_BYTES + bytes.length;
  if (paddingSamples > 0) writeHeader(ID.group, 5 + size + PADDING_BYTES);
  writeHeader(paddingSamples > 0 ? ID.block : ID.simpleBlock, size);
  into[at] = TRACK;
  into.writeInt16BE(relativeMs, at + 1);
  into[at + 3] = paddingSamples > 0 ? 0 : KEY_FRAME;
  at += BLOCK_HEAD_BYTES + bytes.copy(into, at + BLOCK_HEAD_BYTES);
  if (paddingSamples === 0) return at;
  into.writeUInt16BE(ID.padding, at);
  into[at + 2] = 0x88;
  into.writeBigInt64BE(BigInt(Math.round((paddingSamples * 1e9) / OPUS_RATE_HZ)), at + 3);
  return at + PADDING_BYTES;
}
