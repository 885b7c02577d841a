/**
 * Fetches a rendition by plain HTTP, with the addresses and headers that the extraction found. yt-dlp fetches the
 * renditions that need more: keys, cookies, byte ranges.
 */
import { z } from "zod";
import { ConversionError } from "../../../common/errors.ts";
import { TOO_MANY_PIECES } from "../errors/wording.ts";
import { rawFormatOf, type Rendition } from "../probe/info.ts";
import { fetchRanges } from "./fetch-ranges.ts";
import { fetchSegments } from "./fetch-segments.ts";
import type { GrowingFile } from "./growing-file.ts";
import type { MediaClient } from "./media-client.ts";

const Fragments = z
  .array(
    z.object({
      url: z.string().optional(),
      path: z.string().optional(),
      duration: z.number().positive().optional().catch(undefined),
    }),
  )
  .min(1);

/** The addresses to fetch; segments are joined in order. */
export type DirectPlan = { readonly kind: "file"; readonly url: string } | SegmentsPlan;

/** `seconds` is the length of each, 0 for an initialisation section and where the manifest does not state it. */
export interface SegmentsPlan {
  readonly kind: "segments";
  readonly urls: readonly string[];
  readonly seconds?: readonly number[];
}

/** Limit for the characters of all addresses of a rendition together; 10,000 with long signatures have less. */
const MAX_ADDRESSES_LENGTH = 32_000_000;

/**
 * @param base is repeated in each address, so that a long one takes much memory
 * @returns undefined when one of them is no address of the web
 * @throws ConversionError "too_large"
 */
function resolveAll(addresses: readonly (string | undefined)[], base: string | undefined): string[] | undefined {
  const urls: string[] = [];
  let length = 0;
  for (const address of addresses) {
    const url = URL.parse(address ?? "", base)?.href;
    if (url === undefined || !/^https?:/.test(url)) return undefined;
    length += url.length;
    if (length > MAX_ADDRESSES_LENGTH)
      throw new ConversionError("too_large", {
        ...TOO_MANY_PIECES,
        detail: `addresses of more than ${MAX_ADDRESSES_LENGTH} characters`,
      });
    urls.push(url);
  }
  return urls;
}

/** The HLS playlist of a rendition. `addresses` are relative to `url`; absent when the segments do not simply join. */
interface Playlist {
  readonly url: string;
  readonly addresses: readonly string[] | undefined;
  readonly seconds: readonly number[] | undefined;
}

/**
 * Plans how to fetch a rendition without yt-dlp.
 * @param playlist of an HLS rendition
 * @returns undefined when only yt-dlp can fetch it
 * @throws ConversionError "too_large" when its addresses would take too much memory
 */
export function planDirect(rendition: Rendition, playlist?: Playlist): DirectPlan | undefined {
  const { delivery, hasCookies } = rendition;
  if (hasCookies) return undefined;
  if (delivery === "progressive") return { kind: "file", url: rendition.url };
  const raw = rawFormatOf(rendition);
  // Segments that need a signature of the page. yt-dlp knows where in an address it belongs.
  if (raw["extra_param_to_segment_url"] !== undefined) return undefined;
  if (delivery === "hls") {
    const urls = playlist?.addresses && resolveAll(playlist.addresses, playlist.url);
    return urls && { kind: "segments", urls, seconds: playlist.seconds };
  }
  const fragments = Fragments.safeParse(raw["fragments"]);
  if (!fragments.success) return undefined;
  const base = typeof raw["fragment_base_url"] === "string" ? raw["fragment_base_url"] : undefined;
  const urls = resolveAll(
    fragments.data.map(({ url, path }) => url ?? path),
    base,
  );
  return urls && { kind: "segments", urls, seconds: fragments.data.map(({ duration = 0 }) => duration) };
}

export interface DirectDownload {
  readonly plan: DirectPlan;
  readonly rendition: Rendition;
  readonly maxBytes: number;
  /** Whether an MP4 gets free space behind its index, see `spare-space.ts`. */
  readonly wantsSpareSpace?: boolean;
  /** @returns the error to throw for a file of this size */
  readonly tooLarge: (bytes: number) => ConversionError;
  /** Called with 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/**
 * Fetches a rendition into `file`, and marks the file as complete or failed.
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function downloadDirectly(
  client: MediaClient,
  download: DirectDownload,
  file: GrowingFile,
  signal: AbortSignal,
): Promise<void> {
  const { plan, rendition, maxBytes, wantsSpareSpace, tooLarge, onFraction } = download;
  const headers = rendition.httpHeaders;
  try {
    if (plan.kind === "segments") {
      const { urls } = plan;
      await fetchSegments(client, { urls, headers, onFraction }, file, signal);
    } else {
      const onBytes = (bytes: number, totalBytes = rendition.sizeBytes): void => {
        if (totalBytes) onFraction(Math.min(1, bytes / totalBytes));
      };
      const { rangeBytes } = rendition;
      const media = { url: plan.url, headers, maxBytes, rangeBytes, wantsSpareSpace, tooLarge, onBytes };
      await fetchRanges(client, media, file, signal);
    }
    if (file.receivedBytes === 0) throw new ConversionError("unavailable", { detail: "an empty file" });
    await file.complete();
  } catch (error) {
    file.fail(error);
    throw error;
  }
}
