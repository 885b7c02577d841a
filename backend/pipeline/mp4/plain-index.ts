/** Leaves out of an index what playing does not need: titles, places, devices, chapters and other metadata. Pure. */
import { boxesIn } from "./boxes.ts";
import { box } from "./write-box.ts";

/** The boxes of an index that playing needs, by the box that contains them. */
const PLAIN_PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: new Set(["mvhd", "iods", "trak"]),
  trak: new Set(["tkhd", "edts", "mdia"]),
  edts: new Set(["elst"]),
  mdia: new Set(["mdhd", "hdlr", "elng", "minf"]),
  minf: new Set(["vmhd", "smhd", "hdlr", "dinf", "stbl"]),
  stbl: new Set("stsd stts ctts cslg stss stsc stsz stz2 stco co64 sdtp sgpd sbgp".split(" ")),
};

/** Of "hdlr", before a name that players do not show. */
const HANDLER_BYTES = 24;

/**
 * @param index a box with its header
 * @returns the box without other parts than those above; undefined when a box ends elsewhere than its parts
 */
export function withPlainParts(index: Buffer): Buffer | undefined {
  const [whole] = boxesIn(index);
  if (whole?.end !== index.length) return undefined;
  const { type, contentStart, end } = whole;
  if (type === "hdlr") return box(type, index.subarray(contentStart, contentStart + HANDLER_BYTES), Buffer.alloc(1));
  const wanted = PLAIN_PARTS[type];
  if (!wanted) return index;
  const parts = [...boxesIn(index, contentStart, end)];
  if (parts.at(-1)?.end !== end) return undefined;
  const plain = parts.flatMap((part) =>
    wanted.has(part.type) ? [withPlainParts(index.subarray(part.start, part.end))] : [],
  );
  return plain.every((part) => part !== undefined) ? box(type, ...plain) : undefined;
}
