/** Why none of the formats that a site offers can be fetched. */
import { z } from "zod";
import { ConversionError, exactly, type Explanation } from "../../../common/errors.ts";
import { PICTURE_ONLY } from "../errors/wording.ts";
import { text } from "./lenient.ts";

const Offered = z.object({
  protocol: text,
  vcodec: text,
  acodec: text,
  has_drm: z.unknown().optional(),
});
type Offered = z.infer<typeof Offered>;

/** As yt-dlp names them. Their programs and libraries would have to run without the guard of all downloads. */
const OTHER_PROTOCOL = /^(?:ism|rtmp\w*|f4m|mms\w*|rtsp\w*|websocket\w*|m3u8_frag_urls|niconico\w*)$/;

const isPicture = ({ vcodec, acodec, protocol }: Offered): boolean =>
  protocol === "mhtml" || (vcodec === "none" && acodec === "none");

function explanationOf(formats: readonly Offered[]): Explanation | undefined {
  const media = formats.filter((format) => !isPicture(format));
  if (media.length === 0) return formats.length > 0 ? PICTURE_ONLY : undefined;
  if (media.every(({ has_drm: drm }) => drm === true)) return exactly("copy_protected");
  return media.some(({ protocol = "" }) => OTHER_PROTOCOL.test(protocol)) ? exactly("form_not_fetched") : undefined;
}

/**
 * @param offered the formats of a video, as yt-dlp prints them
 * @returns the error to throw
 */
export function noRendition(offered: readonly unknown[]): ConversionError {
  const formats = offered.map((format) => Offered.safeParse(format).data ?? {});
  const detail = `none of ${offered.length} formats can be fetched`;
  return new ConversionError("unavailable", { ...explanationOf(formats), detail });
}
