/** Joins what was fetched of a rendition in several pieces: the parts of a video, or the movies of a list. */
import type { Part } from "../../common/choices.ts";
import type { TierLimits } from "../../common/tiers.ts";
import { removeFile } from "../tool-files/tool-files.ts";
import { joinParts } from "./encode/join-parts.ts";
import type { FetchedRendition } from "./fetch/rendition-download.ts";
import { inspectWhole } from "./joined/inspect-whole.ts";
import { splitMovies } from "./joined/split-movies.ts";
import { markCut } from "./part/mark-join.ts";
import type { Work } from "./pipeline.ts";
import { checkDuration } from "./plan/plan-bounds.ts";
import { measureLengths, type MediaFile } from "./probe/media-file.ts";
import { checkWhole } from "./verify/verify.ts";

export interface Joining extends Work {
  readonly limits: TierLimits;
  /** Absent: all of the video is wanted. */
  readonly part: Part | undefined;
  /** Whether the picture is wanted too. */
  readonly wantsPicture: boolean;
  /** Called while pieces are encoded, with 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/**
 * @returns the movies of each list as files of their own, when ffmpeg cannot read them as one file
 * @throws what {@link splitMovies} throws
 */
export async function splitPieces(
  work: Work,
  pieces: readonly FetchedRendition[],
): Promise<readonly FetchedRendition[]> {
  const split: FetchedRendition[] = [];
  for (const piece of pieces) {
    const paths = piece.hasDiscontinuities ? await splitMovies(work, piece.path) : [piece.path];
    split.push(...(paths.length > 1 ? paths.map((path) => ({ path, hasDiscontinuities: true })) : [piece]));
  }
  return split;
}

/** @throws ConversionError "network" for a piece that is shorter than its site states, and what inspecting throws */
export async function inspectPieces(work: Joining, pieces: readonly FetchedRendition[]): Promise<readonly MediaFile[]> {
  const inspected: MediaFile[] = [];
  for (const piece of pieces) {
    const found = await inspectWhole(work, piece, work.limits.maxDurationSeconds);
    const media = piece.hasDiscontinuities ? await measureLengths(work, found) : found;
    checkWhole(media, piece.durationSeconds);
    inspected.push(media);
  }
  return inspected;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** @returns what the pieces are to have together; undefined when it is not known of all */
export function statedSeconds(pieces: readonly FetchedRendition[]): number | undefined {
  const seconds = sum(pieces.map(({ durationSeconds = NaN }) => durationSeconds));
  return Number.isNaN(seconds) ? undefined : seconds;
}

/**
 * @param pieces of one rendition
 * @param all those of all renditions that are in pieces: picture and sound of a piece begin together
 * @param promisedSeconds of all pieces together; absent: nobody says
 * @returns a single file beside them. Pieces outside the part are left out of it
 * @throws ConversionError "network" when they are shorter than promised, "too_long", and what {@link joinParts} throws
 */
export async function joinPieces(
  work: Joining,
  pieces: readonly MediaFile[],
  all: readonly (readonly MediaFile[])[],
  promisedSeconds: number | undefined,
): Promise<MediaFile> {
  const { limits, part, wantsPicture, onFraction } = work;
  const alike = all.filter(({ length }) => length === pieces.length);
  const seconds = pieces.map((_, number) => Math.max(...alike.map((one) => one[number]?.durationSeconds ?? 0)));
  const wholeSeconds = sum(seconds);
  checkWhole({ durationSeconds: wholeSeconds }, promisedSeconds);
  if (!part) checkDuration(wholeSeconds, limits);
  const { first, end } = part ? piecesOfPart(seconds, part) : { first: 0, end: seconds.length };
  const [wanted, wantedSeconds] = [pieces.slice(first, end), seconds.slice(first, end)];
  await Promise.all(pieces.filter((piece) => !wanted.includes(piece)).map(({ path }) => removeFile(path)));
  const joined = await joinParts(work, {
    parts: wanted,
    seconds: wantedSeconds,
    ...(wantsPicture && { maxPictureLines: limits.mp4MaxHeight }),
    onFraction,
  });
  checkWhole(joined, sum(wantedSeconds));
  if (!part) return joined;
  const timelineSeconds = sum(seconds.slice(0, first));
  const media = wanted.length < pieces.length ? { ...joined, timelineSeconds, wholeSeconds } : joined;
  return wantsPicture ? markCut(work, media, part) : media;
}

/** @returns numbers of the first piece with something of the part, and of the first one behind it; the last one at least */
export function piecesOfPart(
  seconds: readonly number[],
  { startSeconds, endSeconds }: Part,
): { readonly first: number; readonly end: number } {
  let before = 0;
  let first = 0;
  let end = 0;
  for (const [number, one] of seconds.entries()) {
    if (before + one <= startSeconds && number < seconds.length - 1) first = number + 1;
    if (before < endSeconds) end = number + 1;
    before += one;
  }
  return { first, end };
}
