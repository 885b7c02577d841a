/**
 * Fetches a rendition by plain HTTP, without the extractor: what it found out, addresses and headers, is all
 * that most sites ask for. Whatever needs more (keys, cookies, byte ranges) is left to the extractor.
 */
import { ConversionError } from "../../../common/errors.ts";
import { z } from "zod";
import type { Rendition } from "../probe/info.ts";
import { fetchRanges } from "./fetch-ranges.ts";
import { fetchSegments } from "./fetch-segments.ts";
import type { GrowingFile } from "./growing-file.ts";
import type { MediaClient } from "./media-client.ts";

const Fragments = z.array(z.object({ url: z.string().optional(), path: z.string().optional() })).min(1);

/** What to ask for, in order; one address is a whole file. */
export type DirectPlan =
  | { readonly kind: "file"; readonly url: string }
  | { readonly kind: "segments"; readonly urls: readonly string[] };

function resolveAll(addresses: readonly (string | undefined)[], base: string | undefined): string[] | undefined {
  const urls = addresses.map((address) => URL.parse(address ?? "", base)?.href);
  return urls.every((url) => url !== undefined && /^https?:/.test(url)) ? (urls as string[]) : undefined;
}

/**
 * Undefined when the rendition cannot be fetched so.
 * `segments` are those of its playlist, resolved against `playlistUrl`.
 */
export function planDirect(rendition: Rendition, playlist?: { readonly url: string; readonly addresses: readonly string[] | undefined }): DirectPlan | undefined {
  const { raw, delivery } = rendition;
  if (raw["cookies"]) return undefined;
  if (delivery === "progressive") return { kind: "file", url: rendition.url };
  if (delivery === "hls") {
    const urls = playlist?.addresses && resolveAll(playlist.addresses, playlist.url);
    return urls && { kind: "segments", urls };
  }
  const fragments = Fragments.safeParse(raw["fragments"]);
  if (!fragments.success) return undefined;
  const base = typeof raw["fragment_base_url"] === "string" ? raw["fragment_base_url"] : undefined;
  const urls = resolveAll(fragments.data.map(({ url, path }) => url ?? path), base);
  return urls && { kind: "segments", urls };
}

export interface DirectDownload {
  readonly plan: DirectPlan;
  readonly rendition: Rendition;
  readonly maxBytes: number;
  readonly tooLarge: (bytes: number) => ConversionError;
  /** 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/** Resolves when all of it is in the file. Throws ConversionError and `signal.reason`. */
export async function downloadDirectly(client: MediaClient, download: DirectDownload, file: GrowingFile, signal: AbortSignal): Promise<void> {
  const { plan, rendition, maxBytes, tooLarge, onFraction } = download;
  const headers = rendition.httpHeaders;
  try {
    if (plan.kind === "segments") {
      const { urls } = plan;
      await fetchSegments(client, { urls, headers, onFraction }, file, signal);
    } else {
      const onBytes = (bytes: number, totalBytes = rendition.sizeBytes): void => {
        if (totalBytes) onFraction(Math.min(1, bytes / totalBytes));
      };
      await fetchRanges(client, { url: plan.url, headers, maxBytes, tooLarge, onBytes }, file, signal);
    }
    if (file.receivedBytes === 0) throw new ConversionError("unavailable", { detail: "an empty file" });
    await file.complete();
  } catch (error) {
    file.fail(error);
    throw error;
  }
}
