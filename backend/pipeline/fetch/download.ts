/** Fetches the chosen renditions, several at a time, with the addresses that the extraction found. */
import type { Work } from "../pipeline.ts";
import { estimateBytes } from "../plan/rendition-sizes.ts";
import type { Rendition } from "../probe/info.ts";
import { WeightedFractions } from "../progress/weighted-fractions.ts";
import { fetchPieces } from "./fetch-pieces.ts";
import type { DownloadContext, FetchedRendition, GrowingRendition } from "./rendition-download.ts";

export interface Download extends DownloadContext {
  readonly renditions: readonly Rendition[];
  /** Called with the fraction of all bytes, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /**
   * Called once, when fetching has begun: with all renditions if each can be read while it grows, else with undefined.
   * The download ends only when the returned promise has settled too.
   */
  readonly onGrowing?: (growing: readonly GrowingRendition[] | undefined) => Promise<void>;
}

/** Relative weight of a rendition of unknown size: audio has about a fifth of the bytes of a video. */
const UNKNOWN_WEIGHT = { video: 4, audio: 1 } as const;

/**
 * Fetches the renditions. When one fails, the others are aborted first, then its error is thrown.
 * @returns the files of each rendition: one, or those of its parts
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function fetchRenditions(work: Work, download: Download): Promise<(readonly FetchedRendition[])[]> {
  const { renditions } = download;
  const firstFailure = new AbortController();
  const bounded = AbortSignal.any([work.signal, firstFailure.signal]);
  const fractions = new WeightedFractions(renditionWeights(download));
  const growing = renditions.map(() => Promise.withResolvers<GrowingRendition | undefined>());
  const readersDone = Promise.all(growing.map(({ promise }) => promise)).then(async (all) => {
    const known = all.filter((one) => one !== undefined);
    await download.onGrowing?.(known.length === all.length ? known : undefined);
  });
  // Each rendition that grows awaits it.
  readersDone.catch(() => undefined);
  const running = renditions.map(async (rendition, position) => {
    const onGrowing = (one: GrowingRendition | undefined): void => growing[position]?.resolve(one);
    const onFraction = (fraction: number): void => download.onProgress(fractions.update(position, fraction));
    const one = { ...work, download, rendition, onGrowing, readersDone, onFraction, signal: bounded };
    try {
      return await fetchPieces({ ...one, name: String(position) });
    } catch (error) {
      onGrowing(undefined);
      firstFailure.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running);
  work.signal.throwIfAborted();
  firstFailure.signal.throwIfAborted();
  return Promise.all(running);
}

/** @returns bytes of each rendition, or fixed weights when a size is unknown */
function renditionWeights({ renditions, info }: Download): number[] {
  const sizes = renditions.map((rendition) =>
    estimateBytes(rendition, rendition.durationSeconds ?? info.durationSeconds),
  );
  const areSizesKnown = sizes.every((bytes) => bytes !== undefined);
  return renditions.map(({ hasVideo }, index) =>
    areSizesKnown ? (sizes[index] ?? 0) : UNKNOWN_WEIGHT[hasVideo ? "video" : "audio"],
  );
}
