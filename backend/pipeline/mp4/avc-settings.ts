/**
 * Reads and joins the settings of H.264 in an MP4, the box "avcC" (ISO/IEC 14496-15, 5.3.3.1). One box may have several
 * sets of parameters; each slice names the one that it needs by a number. Pure.
 */

interface AvcSettings {
  readonly profile: number;
  readonly compatibility: number;
  readonly level: number;
  /** Of the length before each unit of the stream. */
  readonly lengthBytes: number;
  readonly sequences: readonly Buffer[];
  readonly pictures: readonly Buffer[];
  /** What the box has after the sets: colour format and bit depths of the High profile. */
  readonly rest: Buffer;
}

/** Units begin with a byte for their type. The sets of sequences then have profile, constraints and level. */
const ID_OFFSET = { sequence: 4, picture: 1 } as const;

/** @returns the first number of a bit string (H.264, section 9.1) */
function readNumber(bytes: Buffer): number {
  let zeros = 0;
  const bit = (at: number): number => ((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1;
  while (bit(zeros) === 0 && zeros < 16) zeros += 1;
  let value = 0;
  for (let at = zeros; at <= 2 * zeros; at += 1) value = value * 2 + bit(at);
  return value - 1;
}

function readSets(box: Buffer, from: number, count: number): { sets: readonly Buffer[]; end: number } {
  const sets: Buffer[] = [];
  let end = from;
  for (let left = count; left > 0; left -= 1) {
    const start = end + 2;
    end = start + box.readUInt16BE(end);
    if (end > box.length) throw new RangeError("a set of parameters is cut off");
    sets.push(box.subarray(start, end));
  }
  return { sets, end };
}

/** @throws RangeError when it is cut off */
function readSettings(box: Buffer): AvcSettings {
  const { sets: sequences, end } = readSets(box, 6, box.readUInt8(5) & 0x1f);
  const { sets: pictures, end: restStart } = readSets(box, end + 1, box.readUInt8(end));
  return {
    profile: box.readUInt8(1),
    compatibility: box.readUInt8(2),
    level: box.readUInt8(3),
    lengthBytes: (box.readUInt8(4) & 3) + 1,
    sequences,
    pictures,
    rest: box.subarray(restStart),
  };
}

function idsOf({ sequences, pictures }: AvcSettings): readonly number[] {
  return [
    ...sequences.map((set) => readNumber(set.subarray(ID_OFFSET.sequence))),
    ...pictures.map((set) => readNumber(set.subarray(ID_OFFSET.picture))),
  ];
}

/** Most that a set of sequences may have; x264 gives both of its sets the same one. */
const MAX_ID = 31;

/**
 * @returns a number that no set has; undefined when there is none
 * @throws RangeError when the box is cut off
 */
export function freeParameterId(box: Buffer): number | undefined {
  const ids = new Set(idsOf(readSettings(box)));
  return Array.from({ length: MAX_ID + 1 }, (_, id) => id).find((id) => !ids.has(id));
}

function writeSets(sets: readonly Buffer[]): Buffer {
  return Buffer.concat(
    sets.flatMap((set) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(set.length);
      return [length, set];
    }),
  );
}

/**
 * @returns settings for a stream whose pieces need the one or the other; undefined when one track cannot have both
 * @throws RangeError when one is cut off
 */
export function joinSettings(box: Buffer, otherBox: Buffer): Buffer | undefined {
  const one = readSettings(box);
  const other = readSettings(otherBox);
  const ids = idsOf(one);
  if (idsOf(other).some((id) => ids.includes(id)) || one.profile !== other.profile) return undefined;
  if (one.lengthBytes !== other.lengthBytes || !(one.rest.length === 0 || one.rest.equals(other.rest)))
    return undefined;
  const sequences = [...one.sequences, ...other.sequences];
  const pictures = [...one.pictures, ...other.pictures];
  const level = Math.max(one.level, other.level);
  return Buffer.concat([
    Buffer.from([1, one.profile, one.compatibility & other.compatibility, level, 0xfc | (one.lengthBytes - 1)]),
    Buffer.from([0xe0 | sequences.length]),
    writeSets(sequences),
    Buffer.from([pictures.length]),
    writeSets(pictures),
    one.rest,
  ]);
}
