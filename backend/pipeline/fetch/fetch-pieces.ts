/** Fetches a rendition: its file or, of a video in parts, one file after the other. */
import { estimateBytes } from "../plan/rendition-sizes.ts";
import { piecesOf } from "../probe/pieces.ts";
import { WeightedFractions } from "../progress/weighted-fractions.ts";
import { RenditionDownload, type FetchedRendition, type RenditionDownloadOptions } from "./rendition-download.ts";

/** Of a part whose site says nothing of its size; all of them alike. */
const UNKNOWN_WEIGHT = 1;

/**
 * @returns a single file, or those of all parts in their order
 * @throws ConversionError, "too_long" when the parts so far are longer than may be
 * @throws `signal.reason` when aborted
 */
export async function fetchPieces(options: RenditionDownloadOptions): Promise<readonly FetchedRendition[]> {
  const { rendition, onGrowing, onFraction, download, name } = options;
  const pieces = piecesOf(rendition);
  if (pieces.length === 1) return [await new RenditionDownload(options).run()];
  // They are joined first.
  onGrowing(undefined);
  const sizes = pieces.map((piece) => estimateBytes(piece, piece.durationSeconds));
  const areKnown = sizes.every((bytes) => bytes !== undefined);
  const fractions = new WeightedFractions(sizes.map((bytes) => (areKnown ? bytes : undefined) ?? UNKNOWN_WEIGHT));
  const fetched: FetchedRendition[] = [];
  for (const [number, piece] of pieces.entries()) {
    const secondsBefore = fetched.reduce((sum, { durationSeconds = 0 }) => sum + durationSeconds, 0);
    const fetching = new RenditionDownload({
      ...options,
      rendition: piece,
      piece: { number, secondsBefore },
      name: `${name}-${number}`,
      download: { ...download, wantsSpareSpace: false },
      onFraction: (fraction) => onFraction(fractions.update(number, fraction)),
    });
    fetched.push(await fetching.run());
  }
  return fetched;
}
