/** Finds the clusters of a WebM that a part needs, from its cues, if these come before the media. Pure. */
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { ID, USUAL_NANOSECONDS } from "./element-ids.ts";
import { elementsIn, makeVoid, readFloat, readUnsigned, type Element } from "./elements.ts";

export interface ClustersOfPart {
  readonly range: ByteRange;
  /** Where the first cluster of the video begins; all before it describes the file. */
  readonly firstStart: number;
  /** All before the first cluster, without the places of what follows, which are others in a file of some clusters. */
  readonly description: Buffer;
  /** Moment at which the range begins, by the cues. */
  readonly skippedSeconds: number;
  readonly wholeSeconds?: number;
}

/** Decoders need some frames before the part, and sound may be stored a little later than its picture. */
const MARGIN_SECONDS = 0.5;

interface Cue {
  readonly seconds: number;
  readonly position: number;
}

function childOf(bytes: Buffer, parent: Element, id: number): Element | undefined {
  for (const element of elementsIn(bytes, parent.contentStart, parent.end)) if (element.id === id) return element;
  return undefined;
}

function readCues(bytes: Buffer, cues: Element, segmentStart: number, secondsPerUnit: number): Cue[] {
  const found: Cue[] = [];
  for (const point of elementsIn(bytes, cues.contentStart, cues.end)) {
    if (point.id !== ID.cuePoint) continue;
    const time = childOf(bytes, point, ID.cueTime);
    const positions = childOf(bytes, point, ID.cuePositions);
    const cluster = positions && childOf(bytes, positions, ID.clusterPosition);
    const units = time && readUnsigned(bytes, time);
    const position = cluster && readUnsigned(bytes, cluster);
    if (units !== undefined && position !== undefined)
      found.push({ seconds: units * secondsPerUnit, position: segmentStart + position });
  }
  return found;
}

/**
 * @param head bytes from the beginning of the file
 * @returns the clusters, or how many bytes of the head are needed to find them; undefined when there are no cues before
 * the media, or this is no WebM
 */
export function clustersOfPart(
  head: Buffer,
  totalBytes: number,
  part: { readonly startSeconds: number; readonly endSeconds: number },
): ClustersOfPart | { readonly neededBytes: number } | undefined {
  const [header, segment] = elementsIn(head);
  if (header?.id !== ID.header || segment?.id !== ID.segment) return undefined;
  let info: Element | undefined;
  let cues: Element | undefined;
  let first: Element | undefined;
  const places: Element[] = [];
  for (const element of elementsIn(head, segment.contentStart)) {
    if (element.id === ID.cluster) first = element;
    if (first) break;
    if (element.id === ID.info) info = element;
    if (element.id === ID.cues) cues = element;
    if (element.id === ID.cues || element.id === ID.seekHead) places.push(element);
    // Some bytes more, for the header of the element that follows.
    if (element.end > head.length) return { neededBytes: element.end + 64 };
  }
  if (!info || !cues || !first) return undefined;
  const scale = childOf(head, info, ID.timestampScale);
  const duration = childOf(head, info, ID.duration);
  const secondsPerUnit = ((scale && readUnsigned(head, scale)) ?? USUAL_NANOSECONDS) / 1e9;
  const units = duration && readFloat(head, duration);
  const known = readCues(head, cues, segment.contentStart, secondsPerUnit);
  const from = known.findLast(({ seconds }) => seconds <= part.startSeconds - MARGIN_SECONDS);
  const to = known.find(({ seconds }) => seconds >= part.endSeconds + MARGIN_SECONDS);
  const range = { start: from?.position ?? first.start, end: to?.position ?? totalBytes };
  if (known.length === 0 || range.start < first.start || range.end <= range.start) return undefined;
  const description = Buffer.from(head.subarray(0, first.start));
  for (const element of places) makeVoid(description, element);
  return {
    range,
    description,
    firstStart: first.start,
    skippedSeconds: range.start === first.start ? 0 : (from?.seconds ?? 0),
    wholeSeconds: units === undefined ? undefined : units * secondsPerUnit,
  };
}
