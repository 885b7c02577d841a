/**
 * Parses the JSON that yt-dlp prints about a video. Its titles, sizes and addresses come from foreign sites. Unknown
 * fields are kept only in `raw`, which is passed back to yt-dlp for a download.
 */
import type { Exit } from "../exits/exit.ts";
import { LIVE_JUST_ENDED } from "../errors/wording.ts";
import { z } from "zod";
import { ConversionError } from "../../../common/errors.ts";
import { cleanTitle } from "./title.ts";

const MAX_RENDITIONS = 500;
const MAX_THUMBNAILS = 50;

/** Positive number; a value of another type counts as absent. */
const positive = z.number().positive().optional().catch(undefined);
const text = z.string().optional().catch(undefined);

const RawFormat = z.looseObject({
  format_id: z.string().min(1).max(200).catch("0"),
  url: z.string(),
  protocol: text,
  vcodec: text,
  acodec: text,
  height: positive,
  width: positive,
  tbr: positive,
  abr: positive,
  filesize: positive,
  filesize_approx: positive,
  language_preference: z.number().optional().catch(undefined),
  available_at: positive,
  has_drm: z.union([z.boolean(), z.string()]).optional().catch(undefined),
  fragments: z
    .array(z.looseObject({ duration: positive }))
    .optional()
    .catch(undefined),
  http_headers: z.record(z.string(), z.string()).optional().catch(undefined),
});

const RawInfo = z.looseObject({
  // oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
  _type: text,
  extractor: text,
  extractor_key: text,
  title: text,
  duration: positive,
  is_live: z.boolean().nullish().catch(undefined),
  live_status: text,
  availability: text,
  artist: text,
  uploader: text,
  channel: text,
  thumbnail: text,
  thumbnails: z
    .array(z.looseObject({ url: text, width: positive, preference: z.number().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  formats: z.array(z.unknown()).optional().catch(undefined),
  entries: z.array(z.unknown()).optional().catch(undefined),
});

/** A form in which a site offers a video or one of its tracks. */
export interface Rendition {
  readonly id: string;
  readonly url: string;
  /** "progressive" is one file; the others are manifests with segments. */
  readonly delivery: "progressive" | "hls" | "dash";
  /** False only when yt-dlp states that there is none. */
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** RFC 6381 string such as "avc1.64001f"; absent when unknown. */
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly heightLines?: number;
  readonly bitrateKbps?: number;
  readonly audioBitrateKbps?: number;
  /** Stated or estimated by the site. */
  readonly sizeBytes?: number;
  readonly fragmentCount?: number;
  /** Sum of all segments, if the manifest states them. */
  readonly durationSeconds?: number;
  /** The original language has the highest value. */
  readonly languagePreference: number;
  readonly httpHeaders: Readonly<Record<string, string>>;
  /** The format as yt-dlp printed it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface VideoInfo {
  readonly title: string;
  readonly artist?: string;
  readonly durationSeconds?: number;
  /** Best first. */
  readonly thumbnailUrls: readonly string[];
  /** Worst first, as yt-dlp sorts them. */
  readonly renditions: readonly Rendition[];
  /** Read by the generic extractor, whose metadata (such as the duration) is not reliable. */
  readonly isGeneric: boolean;
  /** Media is refused before this moment, in milliseconds since 1970: the site shows an advertisement first. */
  readonly availableAtMs?: number;
  /** The exit that read the metadata; media may be refused to any other. Absent: the default route. */
  readonly exit?: Exit;
  /** Fields of the video that yt-dlp needs to download one of its renditions. */
  readonly base: Readonly<Record<string, unknown>>;
}

const DELIVERIES: Readonly<Record<string, Rendition["delivery"]>> = {
  http: "progressive",
  https: "progressive",
  m3u8: "hls",
  m3u8_native: "hls",
  http_dash_segments: "dash",
};

function knownCodec(codec: string | undefined): string | undefined {
  return codec === undefined || codec === "none" || codec === "unknown" ? undefined : codec.toLowerCase();
}

/** @returns undefined for a format that cannot be fetched over HTTP or needs decryption */
function toRendition(value: unknown): Rendition | undefined {
  const parsed = RawFormat.safeParse(value);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const delivery = DELIVERIES[data.protocol ?? URL.parse(data.url)?.protocol.slice(0, -1) ?? ""];
  const isHttp = /^https?:\/\//i.test(data.url);
  const hasVideo = data.vcodec !== "none";
  const hasAudio = data.acodec !== "none";
  if (!delivery || !isHttp || (data.has_drm && data.has_drm !== "maybe") || (!hasVideo && !hasAudio)) return undefined;
  const durationSeconds = data.fragments?.reduce((sum, { duration = 0 }) => sum + duration, 0) ?? 0;
  return {
    id: data.format_id,
    url: data.url,
    delivery,
    hasVideo,
    hasAudio,
    videoCodec: knownCodec(data.vcodec),
    audioCodec: knownCodec(data.acodec),
    heightLines: data.height,
    bitrateKbps: data.tbr,
    audioBitrateKbps: data.abr,
    sizeBytes: data.filesize ?? data.filesize_approx,
    fragmentCount: data.fragments?.length,
    durationSeconds: durationSeconds > 0 ? durationSeconds : undefined,
    languagePreference: data.language_preference ?? -1,
    httpHeaders: data.http_headers ?? {},
    raw: data,
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new ConversionError("internal", { detail: "the extractor printed no JSON", cause: error });
  }
}

/**
 * Unwraps a playlist of one entry, which yt-dlp returns for some pages with a single video.
 * @throws ConversionError "playlist" when it has several entries, "unavailable" when it has none
 */
function singleEntry(value: unknown): z.infer<typeof RawInfo> {
  const parsed = RawInfo.safeParse(value);
  if (!parsed.success) throw new ConversionError("unavailable", { detail: "the extractor found nothing" });
  const { _type: kind } = parsed.data;
  if (kind !== "playlist" && kind !== "multi_video") return parsed.data;
  const entries = parsed.data.entries ?? [];
  if (entries.length === 0) throw new ConversionError("unavailable", { detail: "an empty list of videos" });
  const only = RawInfo.safeParse(entries[0]);
  if (entries.length > 1 || !only.success || !only.data.formats) throw new ConversionError("playlist");
  return only.data;
}

function longest(renditions: readonly Rendition[]): number | undefined {
  const durations = renditions.map(({ durationSeconds }) => durationSeconds).filter((seconds) => seconds !== undefined);
  return durations.length > 0 ? Math.max(...durations) : undefined;
}

/** Streams that are not finished. */
const LIVE_STATUSES: ReadonlySet<string | undefined> = new Set(["is_live", "is_upcoming"]);

/** How yt-dlp ends the ids of pictures that YouTube enlarged from smaller ones. A number follows where ids repeat. */
const UPSCALED = /-sr(?:-\d+)?$/;

/** @returns the renditions without upscaled pictures, unless there is no other picture */
function withoutUpscaled(renditions: readonly Rendition[]): readonly Rendition[] {
  const isUpscaled = ({ id, hasVideo }: Rendition): boolean => hasVideo && UPSCALED.test(id);
  const hasTrue = renditions.some((rendition) => rendition.hasVideo && !isUpscaled(rendition));
  return hasTrue ? renditions.filter((rendition) => !isUpscaled(rendition)) : renditions;
}

/** @returns the latest moment that a rendition names, in milliseconds since 1970 */
function availableAt(renditions: readonly Rendition[]): number | undefined {
  const seconds = renditions.map(({ raw }) => raw["available_at"]).filter((moment) => typeof moment === "number");
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1_000;
}

/**
 * Parses the output of `yt-dlp -J`.
 * @throws ConversionError "live", "playlist", "private" …, "unavailable" when no format can be fetched
 */
export function parseInfo(json: string): VideoInfo {
  const info = singleEntry(parseJson(json));
  if (info.live_status === "post_live") throw new ConversionError("live", { message: LIVE_JUST_ENDED });
  if (info.is_live || LIVE_STATUSES.has(info.live_status)) throw new ConversionError("live");
  const offered = info.formats ?? ("url" in info ? [info] : []);
  const renditions = offered
    .slice(-MAX_RENDITIONS)
    .map(toRendition)
    .filter((rendition) => rendition !== undefined);
  if (renditions.length === 0)
    throw new ConversionError("unavailable", { detail: `none of ${offered.length} formats can be fetched` });

  const thumbnails = (info.thumbnails ?? []).toReversed().map(({ url }) => url);
  const artist = cleanTitle(info.artist ?? info.channel ?? info.uploader ?? "");
  const durationSeconds = info.duration ?? longest(renditions);
  return {
    title: cleanTitle(info.title ?? "") || "Untitled video",
    artist: artist || undefined,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    isGeneric: info.extractor_key === "Generic",
    thumbnailUrls: [...new Set([info.thumbnail, ...thumbnails])]
      .filter((url) => url !== undefined && /^https?:\/\//i.test(url))
      .slice(0, MAX_THUMBNAILS) as string[],
    renditions: withoutUpscaled(renditions),
    availableAtMs: availableAt(renditions),
    base: {
      _type: "video",
      id: "video",
      title: "video",
      extractor: info.extractor ?? "generic",
      extractor_key: info.extractor_key ?? "Generic",
      duration: info.duration,
    },
  };
}
