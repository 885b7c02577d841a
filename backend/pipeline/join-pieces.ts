/** Joins what was fetched of renditions in several pieces: the parts of a video, or the movies of a list. */
import type { Part } from "../../common/choices.ts";
import type { TierLimits } from "../../common/tiers.ts";
import { joinParts } from "./encode/join-parts.ts";
import type { FetchedRendition } from "./fetch/rendition-download.ts";
import { inspectWhole } from "./joined/inspect-whole.ts";
import { splitMovies } from "./joined/split-movies.ts";
import { markCut } from "./part/mark-join.ts";
import type { Work } from "./pipeline.ts";
import { checkDuration } from "./plan/plan-bounds.ts";
import type { MediaFile } from "./probe/media-file.ts";
import { checkWhole } from "./verify/verify.ts";

interface Joining extends Work {
  readonly limits: TierLimits;
  /** Absent: all of the video is wanted. */
  readonly part: Part | undefined;
  /** Length of the video by its site. */
  readonly siteSeconds: number | undefined;
  /** Whether the picture is wanted too. */
  readonly wantsPicture: boolean;
  /** Called while pieces are encoded, with 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/**
 * @param fetched of each rendition, its pieces
 * @param inspectSingle reads the only piece of a rendition
 * @returns a file for each rendition
 * @throws ConversionError "network" for pieces that are shorter than was promised, "too_long" for all of them, and what
 *   {@link splitMovies}, {@link joinParts} and inspecting throw
 */
export async function joinFetched(
  work: Joining,
  fetched: readonly (readonly FetchedRendition[])[],
  inspectSingle: (piece: FetchedRendition, position: number) => Promise<MediaFile>,
): Promise<readonly MediaFile[]> {
  const split: (readonly FetchedRendition[])[] = [];
  // One after the other: each looks at the space that is left.
  for (const pieces of fetched) split.push(await splitLists(work, pieces));
  const inspected = await Promise.all(
    split.map((pieces, position) =>
      pieces.length > 1
        ? inspectPieces(work, pieces)
        : Promise.all(pieces.map((single) => inspectSingle(single, position))),
    ),
  );
  const several = inspected.filter((pieces) => pieces.length > 1);
  const sources: MediaFile[] = [];
  for (const [position, pieces] of inspected.entries()) {
    const promised = promisedSeconds(work, fetched[position] ?? []);
    sources.push(...(pieces.length > 1 ? [await joinPieces(work, pieces, several, promised)] : pieces));
  }
  return sources;
}

/** @returns what a list states, else what the site does of all parts of the video; undefined when nobody says */
function promisedSeconds({ part, siteSeconds }: Joining, fetched: readonly FetchedRendition[]): number | undefined {
  const [list, ...others] = fetched;
  const stated = others.length === 0 ? list?.durationSeconds : undefined;
  return stated ?? (part ? undefined : siteSeconds);
}

/** @returns the movies of each list as files of their own, when ffmpeg cannot read them as one file */
async function splitLists(work: Work, pieces: readonly FetchedRendition[]): Promise<readonly FetchedRendition[]> {
  const split: FetchedRendition[] = [];
  for (const piece of pieces) {
    const paths = piece.hasDiscontinuities ? await splitMovies(work, piece.path) : [piece.path];
    split.push(...(paths.length > 1 ? paths.map((path) => ({ path, hasDiscontinuities: true })) : [piece]));
  }
  return split;
}

async function inspectPieces(work: Joining, pieces: readonly FetchedRendition[]): Promise<readonly MediaFile[]> {
  const inspected: MediaFile[] = [];
  for (const piece of pieces) {
    const media = await inspectWhole(work, piece, work.limits.maxDurationSeconds);
    checkWhole(media, piece.durationSeconds);
    inspected.push(media);
  }
  return inspected;
}

/**
 * @param all of all renditions in pieces: picture and sound of a piece begin together
 * @returns a single file beside them
 */
async function joinPieces(
  work: Joining,
  pieces: readonly MediaFile[],
  all: readonly (readonly MediaFile[])[],
  promised: number | undefined,
): Promise<MediaFile> {
  const { limits, part, wantsPicture, onFraction } = work;
  const alike = all.filter(({ length }) => length === pieces.length);
  const seconds = pieces.map((_, number) => Math.max(...alike.map((one) => one[number]?.durationSeconds ?? 0)));
  const durationSeconds = seconds.reduce((sum, one) => sum + one, 0);
  checkWhole({ durationSeconds }, promised);
  if (!part) checkDuration(durationSeconds, limits);
  const maxPictureLines = wantsPicture ? limits.mp4MaxHeight : undefined;
  const media = await joinParts(work, { parts: pieces, seconds, maxPictureLines, onFraction });
  return part && wantsPicture ? markCut(work, media, part) : media;
}
