/** Reads Opus from a WebM that has this sound alone, as YouTube offers it (RFC 9559). */
import type { SourceBytes } from "../aac/source-bytes.ts";
import { ID, USUAL_NANOSECONDS } from "../webm/element-ids.ts";
import { elementsIn, readFloat, readUnsigned, type Element } from "../webm/elements.ts";
import {
  checkPacket,
  describeStream,
  PACKETS_PER_GROUP,
  skippedSamplesOf,
  writeGroup,
  type OpusPacket,
  type OpusGroup,
} from "./opus-group.ts";
import { NotPlainOpus, OPUS_RATE_HZ, SAMPLES_PER_PACKET, type PlainOpus } from "./plain-opus.ts";

/** As ffmpeg names it. */
const CONTAINER = "matroska,webm";
const SOUND_TRACK = 2;
/** The header of an element has at most twelve bytes. */
const HEADER_BYTES = 12;
/** Most bytes of what describes the file, without its cues. */
const MAX_DESCRIPTION_BYTES = 65_536;
/** Most elements in a row that are no clusters, because each takes a read. */
const MAX_OTHER_ELEMENTS = 64;
/** YouTube's have 10 s. */
const MAX_CLUSTER_BYTES = 4_194_304;
const LACING = 0x06;

/** @returns undefined for an element that is cut off, or whose size is unknown */
async function elementAt(bytes: SourceBytes, position: number): Promise<Element | undefined> {
  const header = await bytes.fill(Buffer.allocUnsafe(HEADER_BYTES), position, HEADER_BYTES);
  const [element] = elementsIn(header);
  if (!element) return undefined;
  const { id, contentStart, end } = element;
  return { id, start: position, contentStart: position + contentStart, end: position + end };
}

/** @returns the element as bytes, and its place in them; undefined when it is cut off or too long */
async function takeElement(
  bytes: SourceBytes,
  { start, end }: Element,
): Promise<{ readonly content: Buffer; readonly element: Element } | undefined> {
  if (end - start > MAX_DESCRIPTION_BYTES) return undefined;
  const content = await bytes.take(start, end - start);
  const [element] = content ? elementsIn(content) : [];
  return content && element && { content, element };
}

interface Track {
  readonly number: number;
  readonly channelCount: 1 | 2;
  /** See {@link describeStream}. */
  readonly head: Buffer;
}

/** Reads the one track of a file. @returns undefined for another than of plain Opus in one or two channels */
function readTrack(content: Buffer, tracks: Element): Track | undefined {
  const entries = [...elementsIn(content, tracks.contentStart, tracks.end)].filter(({ id }) => id === ID.track);
  const [entry] = entries;
  if (!entry || entries.length > 1) return undefined;
  const parts = new Map([...elementsIn(content, entry.contentStart, entry.end)].map((part) => [part.id, part]));
  const unsigned = (id: number): number | undefined => {
    const part = parts.get(id);
    return part && readUnsigned(content, part);
  };
  const bytesOf = (id: number): Buffer | undefined => {
    const part = parts.get(id);
    return part && content.subarray(part.contentStart, part.end);
  };
  const number = unsigned(ID.trackNumber);
  const head = bytesOf(ID.codecPrivate);
  const isOpus = unsigned(ID.trackType) === SOUND_TRACK && bytesOf(ID.codec)?.toString("latin1") === "A_OPUS";
  if (!isOpus || parts.has(ID.encodings) || number === undefined || number < 1 || number > 126) return undefined;
  // RFC 7845, 5.1: mapping family 0 has one stream of one or two channels.
  if (head?.length !== 19 || head.toString("latin1", 0, 8) !== "OpusHead" || head[18] !== 0) return undefined;
  const channelCount = head[9];
  if (channelCount !== 1 && channelCount !== 2) return undefined;
  return { number, channelCount, head };
}

/** @returns undefined when times are in another unit than milliseconds */
function readInfo(content: Buffer, info: Element): { readonly seconds: number | undefined } | undefined {
  let units: number | undefined;
  for (const element of elementsIn(content, info.contentStart, info.end)) {
    if (element.id === ID.timestampScale && readUnsigned(content, element) !== USUAL_NANOSECONDS) return undefined;
    if (element.id === ID.duration) units = readFloat(content, element);
  }
  return { seconds: units === undefined ? undefined : units / 1_000 };
}

/** @returns undefined when the file is no WebM, has other tracks, or does not describe them before its sound */
export async function findWebmOpus(bytes: SourceBytes): Promise<PlainOpus | undefined> {
  const header = await elementAt(bytes, 0);
  const segment = header?.id === ID.header ? await elementAt(bytes, header.end) : undefined;
  if (segment?.id !== ID.segment) return undefined;
  let about: { readonly seconds: number | undefined } | undefined;
  let track: Track | undefined;
  let position = segment.contentStart;
  for (let count = 0; count < MAX_OTHER_ELEMENTS; count += 1) {
    const element = await elementAt(bytes, position);
    if (!element) return undefined;
    if (element.id === ID.cluster) break;
    if (element.id === ID.info || element.id === ID.tracks) {
      const taken = await takeElement(bytes, element);
      if (!taken) return undefined;
      if (element.id === ID.info) about = readInfo(taken.content, taken.element);
      else track = readTrack(taken.content, taken.element);
    }
    position = element.end;
    if (!Number.isFinite(position)) return undefined;
  }
  if (!about || !track) return undefined;
  const { number, channelCount, head } = track;
  const firstCluster = position;
  return {
    container: CONTAINER,
    streamIndex: 0,
    channelCount,
    skippedSamples: skippedSamplesOf(head),
    durationSeconds: about.seconds,
    description: describeStream(head),
    read: (from) => readGroups(from, firstCluster, number),
  };
}

/** Collects packets until they are a group. */
class GroupBuffer {
  #packets: OpusPacket[] = [];
  #count = 0;

  /** @returns the group that is complete by this packet */
  push(packet: OpusPacket): OpusGroup | undefined {
    if (this.#packets.at(-1)?.paddingSamples) throw new NotPlainOpus("padding comes before the last packet");
    this.#packets.push(packet);
    this.#count += 1;
    // Padding is at the end of the sound, so a group with it is the last one.
    return this.#packets.length === PACKETS_PER_GROUP && packet.paddingSamples === 0 ? this.take() : undefined;
  }

  /** @returns the packets that are left */
  take(): OpusGroup | undefined {
    const packets = this.#packets;
    this.#packets = [];
    return packets.length === 0 ? undefined : writeGroup(packets, this.#count - packets.length);
  }
}

/** Ends early when the file ends early. @throws NotPlainOpus */
async function* readGroups(bytes: SourceBytes, firstCluster: number, track: number): AsyncGenerator<OpusGroup> {
  const groups = new GroupBuffer();
  let others = 0;
  for (let position = firstCluster; ;) {
    const element = await elementAt(bytes, position);
    if (!element) break;
    others = element.id === ID.cluster ? 0 : others + 1;
    if (others > MAX_OTHER_ELEMENTS) throw new NotPlainOpus("too many elements are no clusters");
    const { id, contentStart, end } = element;
    if (id === ID.cluster) {
      const size = end - contentStart;
      if (!(size <= MAX_CLUSTER_BYTES)) throw new NotPlainOpus(`a cluster has ${size} bytes`);
      const content = await bytes.fill(Buffer.allocUnsafe(size), contentStart, size);
      for (const packet of packetsIn(content, track)) {
        const group = groups.push(packet);
        if (group) yield group;
      }
      if (content.length < size) break;
    }
    position = end;
    if (!Number.isFinite(position)) throw new NotPlainOpus("an element has no size");
  }
  const rest = groups.take();
  if (rest) yield rest;
}

function* packetsIn(cluster: Buffer, track: number): Generator<OpusPacket> {
  for (const element of elementsIn(cluster)) {
    if (element.end > cluster.length) return;
    if (element.id === ID.simpleBlock) yield packetOf(cluster, element, track, 0);
    if (element.id !== ID.group) continue;
    const parts = [...elementsIn(cluster, element.contentStart, element.end)];
    const block = parts.find(({ id }) => id === ID.block);
    const padding = parts.find(({ id }) => id === ID.padding);
    if (block) yield packetOf(cluster, block, track, padding ? paddingOf(cluster, padding) : 0);
  }
}

function packetOf(bytes: Buffer, { contentStart, end }: Element, track: number, paddingSamples: number): OpusPacket {
  const isPlain = end - contentStart > 4 && bytes[contentStart] === (0x80 | track);
  if (!isPlain || ((bytes[contentStart + 3] ?? 0) & LACING) !== 0) throw new NotPlainOpus("a block is not plain");
  const packet = bytes.subarray(contentStart + 4, end);
  checkPacket(packet);
  return { bytes: packet, paddingSamples };
}

/** @throws NotPlainOpus for padding at the beginning, or of more than the packet */
function paddingOf(bytes: Buffer, { contentStart, end }: Element): number {
  const width = end - contentStart;
  const nanoseconds = width >= 1 && width <= 6 ? bytes.readIntBE(contentStart, width) : NaN;
  const samples = Math.round((nanoseconds * OPUS_RATE_HZ) / 1e9);
  if (!(samples >= 0 && samples < SAMPLES_PER_PACKET)) throw new NotPlainOpus(`a padding of ${samples} samples`);
  return samples;
}
