/**
 * Fetches what a part needs of an MP4 or WebM: its index, and the media that the index names for the part. Media of a
 * usual MP4 stays at its place in a file with holes, so that tools find it by the index. Fragments of other MP4s, and
 * clusters of a WebM, are joined behind the index.
 */
import type { Part } from "../../../common/choices.ts";
import type { ConversionError } from "../../../common/errors.ts";
import { createFile, openToChange, writeFile } from "../../tool-files/tool-files.ts";
import { findBox, MAX_INDEX_BYTES, unlessCutOff, type Box } from "../mp4/boxes.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { fragmentsOfPart, type FragmentsOfPart } from "../mp4/fragments-of-part.ts";
import { hasBase } from "../mp4/fragment-tables.ts";
import { boxesBetween, readContent, type ReadAt } from "../mp4/outer-boxes.ts";
import { samplesOfPart } from "../mp4/samples-of-part.ts";
import { clipPart } from "../part/part.ts";
import type { FetchedSpan } from "../part/place-on-timeline.ts";
import { clustersOfPart, type ClustersOfPart } from "../webm/clusters-of-part.ts";
import { RemoteRanges, type RemoteRangesOptions } from "./remote-ranges.ts";

export interface FilePartRequest extends RemoteRangesOptions {
  readonly part: Part;
  readonly path: string;
  readonly maxBytes: number;
  /** How much of the first fragment has the times of all tracks. */
  readonly beginningBytes: number;
  /** @returns the error to throw when this many bytes are needed */
  readonly tooLarge: (bytes: number) => ConversionError;
  /** Called with 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/** What was fetched: `span` is present for fragments. */
export interface FetchedFilePart {
  readonly span?: FetchedSpan;
}

/** Indexes of short videos and of fragmented ones fit. */
const HEAD_BYTES = 65_536;
/** From a part on that needs more than this share of the file, all of it is fetched, which can be read early. */
const MAX_SHARE = 0.9;

function readerOf(remote: RemoteRanges): ReadAt {
  return (start, count) => remote.read({ start, end: Math.min(start + count, remote.totalBytes) });
}

/** Most boxes before the index, because each takes a request. */
const MAX_BOXES_BEFORE = 16;

/** Reads the outermost boxes of a remote file up to its index. */
async function findIndex(remote: RemoteRanges): Promise<Box | undefined> {
  for await (const box of boxesBetween(readerOf(remote), 0, remote.totalBytes, MAX_BOXES_BEFORE)) {
    if (box.start === 0 && box.type !== "ftyp") return undefined;
    if (box.type === "moov")
      return box.end <= remote.totalBytes && box.end - box.start <= MAX_INDEX_BYTES ? box : undefined;
  }
  return undefined;
}

interface Copying {
  readonly remote: RemoteRanges;
  readonly request: FilePartRequest;
}

async function copyInto(
  { remote, request }: Copying,
  copies: readonly (ByteRange & { readonly target: number })[],
  sizeBytes: number,
): Promise<void> {
  const { path, maxBytes, tooLarge, onFraction } = request;
  const neededBytes = copies.reduce((sum, { start, end }) => sum + end - start, 0);
  if (neededBytes > maxBytes) throw tooLarge(neededBytes);
  await using file = await createFile(path);
  await file.truncate(sizeBytes);
  let receivedBytes = 0;
  await remote.copy(copies, file, (bytes) => {
    receivedBytes += bytes;
    onFraction(Math.min(1, receivedBytes / neededBytes));
  });
}

/** @returns undefined when the whole is to be fetched */
async function fetchSamples(
  { remote, request }: Copying,
  index: Box,
  movie: Buffer,
): Promise<FetchedFilePart | undefined> {
  const found = samplesOfPart(movie, request.part);
  if (!found) return undefined;
  clipPart(request.part, found.wholeSeconds);
  const ranges = found.ranges.filter(({ end }) => end <= remote.totalBytes);
  const neededBytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (ranges.length < found.ranges.length || neededBytes > remote.totalBytes * MAX_SHARE) return undefined;
  await copyInto(
    { remote, request },
    ranges.map((range) => ({ ...range, target: range.start })),
    remote.totalBytes,
  );
  // The boxes before the index, and the header of the media, which may come before it or after it.
  await using file = await openToChange(request.path);
  for (const start of [0, index.start]) {
    const bytes = start === 0 ? remote.head.subarray(0, HEADER_BYTES) : await remote.read({ start, end: index.end });
    await file.write(bytes, 0, bytes.length, start);
  }
  const after = await remote.read({ start: index.end, end: Math.min(index.end + HEADER_BYTES, remote.totalBytes) });
  await file.write(after, 0, after.length, index.end);
  return {};
}

/** A larger file would be too large for any plan, and for the disk even with holes. */
const MAX_FILE_BYTES = 100_000_000_000;

/** Holds the headers of the outermost boxes around the index. */
const HEADER_BYTES = 4_096;

/** Whether the fragments name media by its place in the file, which they lose when they are joined. */
function hasAbsolutePlaces(fragments: Buffer): boolean {
  const header = findBox(fragments, "moof", "traf", "tfhd");
  return !header || hasBase(header);
}

/** @returns undefined when there is no index of the fragments */
async function findFragments({ remote, request }: Copying, index: Box): Promise<FragmentsOfPart | undefined> {
  const read = readerOf(remote);
  const { value: box } = await boxesBetween(read, index.end, remote.totalBytes, 1).next();
  if (box?.type !== "sidx" || box.end > remote.totalBytes) return undefined;
  const content = await readContent(read, box, MAX_INDEX_BYTES);
  return fragmentsOfPart(content, box.end, request.part);
}

/** Fragments or clusters that follow the description of the file. */
interface Joined extends Omit<ClustersOfPart, "firstStart" | "description"> {
  readonly head: Buffer;
  /** The first bytes of the first one of the video. */
  readonly beginning: Buffer;
}

function readBeginning({ remote, request }: Copying, firstStart: number): Promise<Buffer> {
  const end = Math.min(firstStart + request.beginningBytes, remote.totalBytes);
  return remote.read({ start: firstStart, end });
}

/** @returns undefined when the whole is to be fetched */
async function fetchFragments(copying: Copying, index: Box): Promise<FetchedFilePart | undefined> {
  const { remote } = copying;
  const found = await findFragments(copying, index);
  if (!found || found.range.end > remote.totalBytes) return undefined;
  const beginning = await readBeginning(copying, found.firstStart);
  if (hasAbsolutePlaces(beginning)) return undefined;
  const head = await remote.read({ start: 0, end: index.end });
  return await fetchJoined(copying, { ...found, head, beginning });
}

/** @returns undefined when the whole is to be fetched */
async function fetchClusters(copying: Copying): Promise<FetchedFilePart | undefined> {
  const { remote, request } = copying;
  let head = remote.head;
  let found = clustersOfPart(head, remote.totalBytes, request.part);
  if (found && "neededBytes" in found) {
    if (found.neededBytes > Math.min(MAX_INDEX_BYTES, remote.totalBytes)) return undefined;
    head = await remote.read({ start: 0, end: found.neededBytes });
    found = clustersOfPart(head, remote.totalBytes, request.part);
  }
  if (!found || "neededBytes" in found || found.range.end > remote.totalBytes) return undefined;
  const beginning = await readBeginning(copying, found.firstStart);
  return await fetchJoined(copying, { ...found, head: found.description, beginning });
}

/** @returns undefined when the part is nearly the whole */
async function fetchJoined(
  { remote, request }: Copying,
  { range, skippedSeconds, wholeSeconds, head, beginning }: Joined,
): Promise<FetchedFilePart | undefined> {
  clipPart(request.part, wholeSeconds);
  if (range.end - range.start > remote.totalBytes * MAX_SHARE) return undefined;
  const beginningPath = skippedSeconds > 0 ? `${request.path}.beginning` : undefined;
  if (beginningPath !== undefined) await writeFile(beginningPath, Buffer.concat([head, beginning]));
  await copyInto({ remote, request }, [{ ...range, target: head.length }], head.length + range.end - range.start);
  await using file = await openToChange(request.path);
  await file.write(head, 0, head.length, 0);
  return { span: { skippedSeconds, beginningPath, wholeSeconds } };
}

/**
 * Writes `path`.
 * @returns undefined when the whole has to be fetched: the server sends no ranges, the file is no MP4 or WebM, or its
 * index is unusual
 * @throws ConversionError, "part_outside" among others
 * @throws `signal.reason` when aborted
 */
export async function fetchFilePart(request: FilePartRequest): Promise<FetchedFilePart | undefined> {
  const remote = await RemoteRanges.open(request, HEAD_BYTES);
  if (!remote || remote.totalBytes > MAX_FILE_BYTES) return undefined;
  const index = await findIndex(remote);
  if (!index) return await fetchClusters({ remote, request });
  const bytes = await remote.read({ start: index.start, end: index.end });
  const movie = bytes.subarray(index.contentStart - index.start);
  const isFragmented = findBox(movie, "mvex") !== undefined;
  return await unlessCutOff(() =>
    isFragmented ? fetchFragments({ remote, request }, index) : fetchSamples({ remote, request }, index, movie),
  );
}
