/**
 * Parses the JSON that yt-dlp prints about a video. Its titles, sizes and addresses come from foreign sites. Unknown
 * fields are kept only in `rawJson`, which is passed back to yt-dlp for a download.
 */
import type { Exit } from "../exits/exit.ts";
import { LIVE_JUST_ENDED } from "../errors/wording.ts";
import { z } from "zod";
import { Part, SoundLanguage, TrackNumber } from "../../../common/choices.ts";
import { ConversionError, exactly } from "../../../common/errors.ts";
import { Chapter, chaptersFrom } from "./chapters.ts";
import { noRendition } from "./no-rendition.ts";
import { clipOf, secondsOfWhole, videoIdOfClip } from "./clip.ts";
import { subtitlesFrom, SubtitleSource } from "./subtitle-list.ts";
import { SQUARE_COVERS, squareCoverOf } from "./song.ts";
import { MediaTags, tagsOf } from "./tags.ts";
import { piecesOf } from "./pieces.ts";
import { videoTitle } from "./title.ts";
import { positive, text } from "./lenient.ts";

const MAX_RENDITIONS = 500;
const MAX_THUMBNAILS = 50;
/** Servers accept 8 to 16 kB. */
const MAX_ADDRESS_LENGTH = 32_000;
const MAX_HEADERS_LENGTH = 32_000;
/** A site that wants smaller ranges would get too many requests. */
const SMALLEST_RANGE_BYTES = 500_000;

/** Above what any sound on the web has. */
const MAX_SAMPLE_RATE_HZ = 768_000;
const MAX_CHANNELS = 64;

/** Whether it can be asked for. */
const isAddress = (url: string): boolean => /^https?:\/\//i.test(url) && url.length <= MAX_ADDRESS_LENGTH;

const texts = z.array(z.string()).optional().catch(undefined);

const RawFormat = z.looseObject({
  format_id: z.string().min(1).max(200).catch("0"),
  url: z.string(),
  protocol: text,
  vcodec: text,
  acodec: text,
  height: positive,
  width: positive,
  stretched_ratio: positive,
  tbr: positive,
  abr: positive,
  asr: z.int().min(1).max(MAX_SAMPLE_RATE_HZ).optional().catch(undefined),
  audio_channels: z.int().min(1).max(MAX_CHANNELS).optional().catch(undefined),
  filesize: positive,
  filesize_approx: positive,
  language: SoundLanguage.optional().catch(undefined),
  language_preference: z.number().optional().catch(undefined),
  available_at: positive,
  downloader_options: z
    .looseObject({ http_chunk_size: z.int().min(SMALLEST_RANGE_BYTES).optional().catch(undefined) })
    .optional()
    .catch(undefined),
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
  id: text,
  webpage_url: text,
  channel_id: text,
  uploader_id: text,
  title: text,
  duration: positive,
  section_start: z.number().min(0).optional().catch(undefined),
  section_end: positive,
  is_live: z.boolean().nullish().catch(undefined),
  live_status: text,
  availability: text,
  artist: text,
  track: text,
  album: text,
  artists: texts,
  album_artist: text,
  album_artists: texts,
  track_number: TrackNumber.optional().catch(undefined),
  creators: texts,
  uploader: text,
  channel: text,
  categories: texts,
  description: text,
  release_date: text,
  release_year: positive,
  upload_date: text,
  thumbnail: text,
  thumbnails: z
    .array(z.looseObject({ url: text, width: positive, preference: z.number().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  formats: z.array(z.unknown()).optional().catch(undefined),
  entries: z.array(z.unknown()).optional().catch(undefined),
  chapters: z.array(z.unknown()).optional().catch(undefined),
  subtitles: z.unknown().optional(),
  automatic_captions: z.unknown().optional(),
});

/** A form in which a site offers a video or one of its tracks, in one piece. */
const WholeRendition = z.strictObject({
  id: z.string(),
  url: z.string(),
  /** "progressive" is one file; the others are manifests with segments. */
  delivery: z.enum(["progressive", "hls", "dash"]),
  /** False only when yt-dlp states that there is none. */
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
  /** RFC 6381 string such as "avc1.64001f"; absent when unknown. */
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
  /** Of the shorter side, by which sites name a size: the 480p of a portrait is 480 pixels wide. */
  heightLines: z.number().optional(),
  /** Width by height in which the site shows it, where its pixels say something else. */
  shownRatio: z.number().optional(),
  bitrateKbps: z.number().optional(),
  audioBitrateKbps: z.number().optional(),
  sampleRateHz: z.number().optional(),
  channelCount: z.number().optional(),
  /** Stated or estimated by the site. */
  sizeBytes: z.number().optional(),
  /** The range that the site wants requested: it sends larger ones slowly, and counts requests. */
  rangeBytes: z.number().optional(),
  fragmentCount: z.number().optional(),
  /** Sum of all segments, if the manifest states them. */
  durationSeconds: z.number().optional(),
  /** Of the sound, as IETF BCP 47 has it; absent when the site does not say. */
  language: z.string().optional(),
  /** The original language has the highest value. */
  languagePreference: z.number(),
  httpHeaders: z.record(z.string(), z.string()),
  /** Media is refused before this moment, in seconds since 1970. */
  availableAtSeconds: z.number().optional(),
  /** The format has cookies that its site has set. */
  hasCookies: z.boolean().optional(),
  /**
   * The format as yt-dlp printed it, see {@link rawFormatOf}. As UTF-8, because it may list thousands of segments, few
   * formats are fetched, and bytes go from one thread to another without a copy.
   */
  rawJson: z.string().transform((json) => new TextEncoder().encode(json)),
});
const Rendition = WholeRendition.extend({
  /**
   * Of a video that its site gives in parts: the form of each, in their order. Lengths and sizes beside it are those of all
   * together, and its address and format those of the first. Absent: it is in one piece.
   */
  parts: z.array(WholeRendition).readonly().optional(),
});
export type Rendition = Readonly<z.infer<typeof Rendition>>;

/** What processes give each other of a video. */
export const VideoFields = z.strictObject({
  /** When it was read, in milliseconds since 1970. */
  readAtMs: z.number().optional(),
  /** Its page is a post that may have several. */
  isOfPost: z.boolean().optional(),
  title: z.string(),
  tags: MediaTags,
  /** Of the whole video, also for a clip. */
  durationSeconds: z.number().optional(),
  /** The part that the link is of. Absent: the whole video. */
  clip: Part.optional(),
  /** Absent: none. */
  chapters: z.array(Chapter).readonly().optional(),
  /** Absent: none. */
  subtitles: z.array(SubtitleSource).readonly().optional(),
  /** The site has others, which it did not give to the client that read the video. */
  withholdsSubtitles: z.boolean().optional(),
  /** Whether the picture has the square cover of a song in its middle. Absent: it is no song. */
  squareCover: z.enum(SQUARE_COVERS).optional(),
  /** Best first. */
  thumbnailUrls: z.array(z.string()).readonly(),
  /** Worst first, as yt-dlp sorts them. */
  renditions: z.array(Rendition).readonly(),
  /** Read by the generic extractor, whose metadata (such as the duration) is not reliable. */
  isGeneric: z.boolean(),
  /** Site and its id, such as `youtube:dQw4w9WgXcQ`. Absent where the site gives none. */
  videoId: z.string().optional(),
  /** Such as `youtube:UC…` and `youtube:@name`. */
  channelIds: z.array(z.string()).readonly().optional(),
  /** After redirects, as the site names it. */
  pageUrl: z.string().optional(),
  /** Media is refused before this moment, in milliseconds since 1970: the site shows an advertisement first. */
  availableAtMs: z.number().optional(),
  /** Fields of the video that yt-dlp needs to download one of its renditions. */
  base: z.record(z.string(), z.unknown()),
});

export interface VideoInfo extends Readonly<z.infer<typeof VideoFields>> {
  /** The exit that read the metadata; media may be refused to any other. Absent: the default route. */
  readonly exit?: Exit;
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

/** No video is shown in a stranger shape. */
const MAX_SHOWN_RATIO = 4;
/** Sites round. */
const SAME_RATIO = 0.01;

function shownRatioOf({ stretched_ratio: ratio, width, height }: z.infer<typeof RawFormat>): number | undefined {
  if (ratio === undefined || ratio > MAX_SHOWN_RATIO || ratio < 1 / MAX_SHOWN_RATIO) return undefined;
  const isSame = width !== undefined && height !== undefined && Math.abs(ratio / (width / height) - 1) < SAME_RATIO;
  return isSame ? undefined : ratio;
}

/**
 * @param isOfClip yt-dlp estimates sizes from the length of the clip, but the format has the whole video
 * @returns undefined for a format that cannot be fetched over HTTP or needs decryption
 */
function toRendition(value: unknown, isOfClip: boolean): Rendition | undefined {
  const parsed = RawFormat.safeParse(value);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const delivery = DELIVERIES[data.protocol ?? URL.parse(data.url)?.protocol.slice(0, -1) ?? ""];
  const isHttp = isAddress(data.url);
  const httpHeaders = data.http_headers ?? {};
  if (JSON.stringify(httpHeaders).length > MAX_HEADERS_LENGTH) return undefined;
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
    heightLines: data.height && Math.min(data.height, data.width ?? Infinity),
    shownRatio: shownRatioOf(data),
    bitrateKbps: data.tbr,
    audioBitrateKbps: data.abr,
    sampleRateHz: data.asr,
    channelCount: data.audio_channels,
    sizeBytes: data.filesize ?? (isOfClip ? undefined : data.filesize_approx),
    rangeBytes: data.downloader_options?.http_chunk_size,
    fragmentCount: data.fragments?.length,
    durationSeconds: durationSeconds > 0 ? durationSeconds : undefined,
    language: data.language,
    languagePreference: data.language_preference ?? -1,
    httpHeaders,
    availableAtSeconds: data.available_at,
    hasCookies: Boolean(data["cookies"]) || undefined,
    rawJson: new TextEncoder().encode(JSON.stringify(data)),
  };
}

/** @throws ConversionError "internal" */
export function parsePrinted(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new ConversionError("internal", { detail: "the extractor printed no JSON", cause: error });
  }
}

/** An entry that its list's page holds, and not the address of another page. */
const HeldEntry = z.union([
  z.looseObject({ formats: z.array(z.unknown()).min(1) }),
  // yt-dlp lists no formats of an entry that is a single address.
  z.looseObject({ url: z.string(), _type: z.literal("video").optional() }),
]);

/** @returns whether an entry of a list is a video that needs no further reading */
export const isHeld = (entry: unknown): boolean => HeldEntry.safeParse(entry).success;

/**
 * Unwraps a playlist of one entry, which yt-dlp returns for some pages with a single video.
 * @throws ConversionError "playlist" when it has several entries or none
 */
function singleEntry(value: unknown): { info: z.infer<typeof RawInfo>; isOfPost?: boolean } {
  const parsed = RawInfo.safeParse(value);
  if (!parsed.success) throw new ConversionError("unavailable", { detail: "the extractor found nothing" });
  const { _type: kind } = parsed.data;
  if (kind !== "playlist" && kind !== "multi_video") return { info: parsed.data };
  const entries = parsed.data.entries ?? [];
  if (entries.length === 0) throw new ConversionError("playlist", exactly("empty_list"));
  const only = RawInfo.safeParse(entries[0]);
  if (entries.length > 1 || !only.success || !isHeld(entries[0])) throw new ConversionError("playlist");
  return { info: only.data, isOfPost: true };
}

function longest(renditions: readonly Rendition[]): number | undefined {
  const durations = renditions.map(({ durationSeconds }) => durationSeconds).filter((seconds) => seconds !== undefined);
  return durations.length > 0 ? Math.max(...durations) : undefined;
}

/** Streams that are not finished. */
const LIVE_STATUSES: ReadonlySet<string | undefined> = new Set(["is_live", "is_upcoming"]);

/** yt-dlp writes the time of reading behind the title of what it calls live. */
const withoutTime = (title: string): string => title.replace(/ \d{4}-\d\d-\d\d \d\d:\d\d$/, "");

/** How yt-dlp ends the ids of pictures that YouTube enlarged from smaller ones. A number follows where ids repeat. */
const UPSCALED = /-sr(?:-\d+)?$/;

/** @returns the renditions without upscaled pictures, unless there is no other picture */
function withoutUpscaled(renditions: readonly Rendition[]): readonly Rendition[] {
  const isUpscaled = ({ id, hasVideo }: Rendition): boolean => hasVideo && UPSCALED.test(id);
  const hasTrue = renditions.some((rendition) => rendition.hasVideo && !isUpscaled(rendition));
  return hasTrue ? renditions.filter((rendition) => !isUpscaled(rendition)) : renditions;
}

/** ffmpeg 5.1 has no decoder for xHE-AAC. */
const UNREADABLE_SOUND = /^mp4a\.40\.42/;

/** @returns the renditions whose sound can be read, or all when there is no other sound */
function withReadableSound(renditions: readonly Rendition[]): readonly Rendition[] {
  const readable = renditions.filter(({ audioCodec }) => !UNREADABLE_SOUND.test(audioCodec ?? ""));
  return readable.some(({ hasAudio }) => hasAudio) ? readable : renditions;
}

/** @returns the latest moment that a rendition names, in milliseconds since 1970 */
function availableAt(renditions: readonly Rendition[]): number | undefined {
  const seconds = renditions.flatMap(({ availableAtSeconds }) => availableAtSeconds ?? []);
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1_000;
}

/** @returns the format of a rendition as yt-dlp printed it */
export function rawFormatOf({ rawJson }: Rendition): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(rawJson)));
}

type RawPictures = Pick<z.infer<typeof RawInfo>, "thumbnail" | "thumbnails">;

/** @returns addresses, best first */
function picturesOf({ thumbnails = [] }: RawPictures): string[] {
  return thumbnails.toReversed().flatMap(({ url }) => url ?? []);
}

/** @returns addresses that can be asked for, best first */
function pictureUrlsOf(raw: RawPictures): string[] {
  return [...new Set([raw.thumbnail, ...picturesOf(raw)])]
    .filter((url) => url !== undefined)
    .filter((url) => isAddress(url))
    .slice(0, MAX_THUMBNAILS);
}

/** @param entry of a list @returns the address of its best picture */
export function pictureUrlOf(entry: unknown): string | undefined {
  const { data } = RawInfo.safeParse(entry);
  return data && pictureUrlsOf(data)[0];
}

/** Ids of sites are far shorter. */
const MAX_ID_LENGTH = 200;

const hasIds = (site: string): boolean => site !== "generic" && site !== "html5";

/** @returns such as `youtube:UC…` and `youtube:@name` */
export function channelIdsOf(site: string, owner: { channel_id?: string; uploader_id?: string }): string[] {
  const ids = [owner.channel_id, owner.uploader_id].filter((id) => id && id.length <= MAX_ID_LENGTH) as string[];
  // Names such as @Somebody are the same in any case.
  return hasIds(site) ? [...new Set(ids)].map((id) => `${site}:${id.startsWith("@") ? id.toLowerCase() : id}`) : [];
}

/** @returns what operators may block; the generic extractor makes up ids from the address of a page */
function identityOf(info: z.infer<typeof RawInfo>): Pick<VideoInfo, "videoId" | "channelIds" | "pageUrl"> {
  const extractor = info.extractor_key?.toLowerCase() ?? "generic";
  const isClip = extractor === "youtubeclip";
  // A clip is blocked with its video and its channel.
  const site = isClip ? "youtube" : extractor;
  const id = isClip ? videoIdOfClip([info.thumbnail ?? "", ...picturesOf(info)]) : info.id;
  // Cut where it is too long: its host may be blocked all the same.
  const pageUrl = info.webpage_url?.slice(0, MAX_ADDRESS_LENGTH) ?? "";
  return {
    videoId: hasIds(site) && id && id.length <= MAX_ID_LENGTH ? `${site}:${id}` : undefined,
    channelIds: channelIdsOf(site, info),
    pageUrl: URL.canParse(pageUrl) ? pageUrl : undefined,
  };
}

/** Of a rendition whose fields are also in its `rawJson`. */
const COPIES = 2;
/** For the fields that are short, and for the objects themselves. */
const BASE_BYTES = 4_000;

/** @returns the memory that metadata take, estimated from their texts */
export function infoBytes({
  renditions,
  thumbnailUrls,
  chapters = [],
  subtitles = [],
  pageUrl = "",
}: VideoInfo): number {
  const texts = [
    pageUrl.length,
    ...renditions.flatMap(piecesOf).map(({ rawJson }) => COPIES * rawJson.byteLength),
    ...thumbnailUrls.map((url) => url.length),
    ...chapters.map(({ title }) => title.length),
    ...subtitles.map(({ url }) => url.length),
  ];
  return texts.reduce((sum, bytes) => sum + bytes, BASE_BYTES);
}

/**
 * Parses the output of `yt-dlp -J` about one video. Blocks for about 60 ms for each megabyte; see parse-aside.ts.
 * @throws what {@link infoFrom} throws
 */
export const parseInfo = (json: string): VideoInfo => infoFrom(parsePrinted(json));

/**
 * @param value what yt-dlp says of a video, or of a list with a single one
 * @throws ConversionError "live", "playlist", "private" …, "unavailable" when no format can be fetched
 */
export function infoFrom(value: unknown): VideoInfo {
  const { info, isOfPost } = singleEntry(value);
  const isGeneric = info.extractor_key === "Generic";
  if (info.live_status === "post_live") throw new ConversionError("live", LIVE_JUST_ENDED);
  // The generic extractor calls any playlist without an end tag live. Whether it grows is seen when it is fetched.
  if (!isGeneric && (info.is_live || LIVE_STATUSES.has(info.live_status))) throw new ConversionError("live");
  const clip = clipOf(info);
  const offered = info.formats ?? ("url" in info ? [info] : []);
  const renditions = offered
    .slice(-MAX_RENDITIONS)
    .map((format) => toRendition(format, clip !== undefined))
    .filter((rendition) => rendition !== undefined);
  if (renditions.length === 0) throw noRendition(offered);

  const title = videoTitle(info.is_live ? withoutTime(info.title ?? "") : (info.title ?? "")) || "Untitled video";
  const statedSeconds = clip ? secondsOfWhole(renditions, clip) : info.duration;
  const durationSeconds = statedSeconds ?? longest(renditions);
  const chapters = chaptersFrom(info.chapters ?? [], durationSeconds);
  const subtitles = subtitlesFrom(info.subtitles, info.automatic_captions);
  return {
    title,
    tags: tagsOf(info, title),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    clip,
    chapters: chapters.length > 0 ? chapters : undefined,
    subtitles: subtitles.length > 0 ? subtitles : undefined,
    squareCover: squareCoverOf(info),
    isGeneric,
    thumbnailUrls: pictureUrlsOf(info),
    renditions: withReadableSound(withoutUpscaled(renditions)),
    ...identityOf(info),
    isOfPost,
    availableAtMs: availableAt(renditions),
    base: {
      _type: "video",
      id: "video",
      title: "video",
      extractor: info.extractor ?? "generic",
      extractor_key: info.extractor_key ?? "Generic",
      duration: statedSeconds,
    },
  };
}
