/** Recognises sound of an MP4 that ffmpeg 5.1 has no decoder for. */
import { findBox, unlessCutOff, wholeBoxesIn } from "./boxes.ts";
import { readIndex, readLayout } from "./layout.ts";
import { handlerOf, sampleTablesOf } from "./track.ts";
import { readDecoderSettings } from "./track-codec.ts";

/** Audio object types above this have six more bits (ISO/IEC 14496-3, 1.6.2.1). */
const ESCAPE = 31;
/** Unified speech and audio coding (ISO/IEC 23003-3); with its profiles it is called xHE-AAC. */
const USAC = 42;

/** @param settings an AudioSpecificConfig */
function objectTypeOf(settings: Buffer): number {
  const type = settings.readUInt8(0) >>> 3;
  return type === ESCAPE ? ESCAPE + 1 + ((settings.readUInt16BE(0) >>> 5) & 0x3f) : type;
}

function isUnreadable(track: Buffer): boolean {
  const table = handlerOf(track) === "soun" ? sampleTablesOf(track) : undefined;
  const descriptions = table && findBox(table, "stsd");
  const settings = descriptions && readDecoderSettings(descriptions);
  return settings !== undefined && objectTypeOf(settings) === USAC;
}

/** Whether a file is an MP4 with xHE-AAC. */
export async function hasUnreadableAac(path: string): Promise<boolean> {
  const found = await unlessCutOff(async () => {
    const index = (await readLayout(path)).find(({ type }) => type === "moov");
    if (!index) return false;
    const movie = await readIndex(path, index);
    return [...wholeBoxesIn(movie)].some(({ type, body }) => type === "trak" && isUnreadable(body));
  });
  return found === true;
}
