/** The form in which processes give each other the metadata of a video: compressed JSON of a bounded size. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { HOUR_MS, MINUTE_MS } from "../../../common/durations.ts";
import { type Exit, exitForMedia } from "../exits/exit.ts";
import { infoBytes, VideoFields, type Rendition, type VideoInfo } from "./info.ts";
import { piecesOf } from "./pieces.ts";

/** Usual is 0.2 to 0.5 MB; long DASH videos with thousands of segments are extracted anew. */
const MAX_JSON_BYTES = 8_000_000;
/** Usual are 20 to 60 kB. */
const MAX_PACKED_BYTES = 512_000;

/** A visitor who has seen a preview mostly converts within this time. Addresses of YouTube last for six hours. */
const LONGEST_KEPT_MS = 10 * MINUTE_MS;
/** A conversion asks for media until its end, which comes within an hour (`jobTimeoutMs`). */
const FETCH_MS = HOUR_MS;

/** Strict: a process of another version may know further fields, and then the video is extracted anew. */
const KeptInfo = z.strictObject({
  ...VideoFields.shape,
  /** Its name only: credentials of a proxy stay in the processes that have it in their variables. */
  exitName: z.string().optional(),
});

/** Cookies that a site set for its media belong to one session, and may be those of the operator's account. */
function isPersonal({ hasCookies, httpHeaders }: Rendition): boolean {
  return hasCookies || Object.keys(httpHeaders).some((name) => name.toLowerCase() === "cookie");
}

const asText = ({ rawJson, ...fields }: Rendition) => ({ ...fields, rawJson: new TextDecoder().decode(rawJson) });

/** @returns undefined for metadata that is too large or contains cookies */
export async function packInfo({ exit, ...info }: VideoInfo): Promise<Buffer | undefined> {
  // Estimated first, because writing a large text blocks. In memory, the addresses are there twice.
  if (info.renditions.flatMap(piecesOf).some(isPersonal) || infoBytes(info) / 2 > MAX_JSON_BYTES) return undefined;
  const renditions = info.renditions.map((rendition) => ({
    ...asText(rendition),
    parts: rendition.parts?.map(asText),
  }));
  const json = JSON.stringify({ ...info, renditions, exitName: exit?.name });
  if (json.length > MAX_JSON_BYTES) return undefined;
  const packed = await promisify(gzip)(json);
  return packed.length > MAX_PACKED_BYTES ? undefined : packed;
}

/**
 * @param findExit finds an exit of this process by its name
 * @returns undefined when this process does not have the exit, which alone may be given the media
 * @throws Error when it cannot be read
 */
export async function unpackInfo(
  packed: Buffer,
  findExit: (name: string) => Exit | undefined,
): Promise<VideoInfo | undefined> {
  const json = await promisify(gunzip)(packed, { maxOutputLength: 4 * MAX_JSON_BYTES });
  const { exitName, ...info } = KeptInfo.parse(JSON.parse(json.toString()));
  if (exitName === undefined) return info;
  const exit = findExit(exitName);
  return exit && { ...info, exit: exitForMedia(exit, publicAddressOf(info)) };
}

/** A parameter of an address, in its query or, as YouTube's manifests have it, in its path. */
function parameterOf(url: string, name: string): string | undefined {
  return new RegExp(`[?&/]${name}[=/]([^&/?]+)`).exec(url)?.[1];
}

/** In seconds since 1970; NaN for an address that does not say it. */
const endOf = (url: string): number => Number(parameterOf(url, "expire"));

/** @returns the moment at which the first media address stops working, in milliseconds since 1970; Infinity if unknown */
export function mediaExpiryMs({ renditions }: Pick<VideoInfo, "renditions">): number {
  const seconds = renditions
    .flatMap(piecesOf)
    .map(({ url }) => endOf(url))
    .filter((moment) => moment > 0);
  return Math.min(Infinity, ...seconds) * 1_000;
}

/** On other sites a parameter of that name may mean something else. */
function isFromYouTube(url: string): boolean {
  return URL.parse(url)?.hostname.endsWith(".googlevideo.com") ?? false;
}

/**
 * @param usualMs how long metadata is kept whose addresses do not say how long they work
 * @returns how long metadata is kept from now on, in milliseconds; not above zero when an address has ended
 */
export function keepMsOf({ renditions }: Pick<VideoInfo, "renditions">, usualMs: number): number {
  const leftMs = mediaExpiryMs({ renditions }) - Date.now();
  const leastMs = Math.min(usualMs, leftMs);
  const areAllStated = renditions.length > 0 && renditions.every(({ url }) => isFromYouTube(url) && endOf(url) > 0);
  return areAllStated ? Math.max(leastMs, Math.min(LONGEST_KEPT_MS, leftMs - FETCH_MS)) : leastMs;
}

/** @returns the public IP address that media is given to, if the site names it in its addresses as YouTube does */
export function publicAddressOf({ renditions }: Pick<VideoInfo, "renditions">): string | undefined {
  const ip = renditions.map(({ url }) => parameterOf(url, "ip")).find((value) => value !== undefined);
  // An address of IPv6 is escaped in a query.
  return ip?.replaceAll(/%3A/gi, ":");
}
