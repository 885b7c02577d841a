/** Chooses among sound-only renditions. Pure. */
import type { Rendition } from "../probe/info.ts";

/** yt-dlp marks sound of YouTube whose loudness range is compressed by this suffix. */
const COMPRESSED_SUFFIX = /-drc(?:-\d+)?$/;

/** Whether the loudness range is compressed. */
export function isCompressed({ id }: Rendition): boolean {
  return COMPRESSED_SUFFIX.test(id);
}

/**
 * The best sound-only rendition: the original language first, then the extractor's order, which is worst to best. Of
 * sound with a compressed loudness range the uncompressed form is taken, if there is one.
 */
export function bestAudio(audios: readonly Rendition[]): Rendition | undefined {
  const preferred = Math.max(...audios.map(({ languagePreference }) => languagePreference));
  const best = audios.findLast(({ languagePreference }) => languagePreference === preferred);
  if (!best || !isCompressed(best)) return best;
  const uncompressedId = best.id.replace(COMPRESSED_SUFFIX, "");
  return audios.find(({ id, languagePreference }) => id === uncompressedId && languagePreference === preferred) ?? best;
}
