/** Headers of AAC frames outside a container (ISO/IEC 13818-7, 6.2). Pure. */
import { SAMPLE_RATES_HZ, type SampleRateHz } from "./sample-rates.ts";

export const ADTS_HEADER_BYTES = 7;
/** Sample rates by their index in the header (ISO/IEC 14496-3, 1.6.3.4). */
const RATES_HZ = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000] as const;
const LOW_COMPLEXITY = 1;

export interface AacKind {
  readonly sampleRateHz: SampleRateHz;
  readonly channelCount: 1 | 2;
}

/**
 * @returns undefined for rates that MP3 does not have. AAC with a lower rate may decode to twice that rate (SBR), which
 * its header does not say.
 */
export function aacKind(rateIndex: number, channelConfiguration: number): AacKind | undefined {
  const sampleRateHz = SAMPLE_RATES_HZ.find((rate) => rate === RATES_HZ[rateIndex]);
  if (sampleRateHz === undefined || (channelConfiguration !== 1 && channelConfiguration !== 2)) return undefined;
  return { sampleRateHz, channelCount: channelConfiguration };
}

/**
 * Reads the header of a frame.
 * @returns undefined where no frame begins at `offset`, or its profile is not low complexity
 */
export function readAdtsKind(bytes: Buffer, offset: number): AacKind | undefined {
  if (bytes.length < offset + ADTS_HEADER_BYTES || (bytes.readUInt16BE(offset) & 0xff_f6) !== 0xff_f0) return undefined;
  const word = bytes.readUInt16BE(offset + 2);
  return word >>> 14 === LOW_COMPLEXITY ? aacKind((word >>> 10) & 0xf, (word >>> 6) & 0x7) : undefined;
}

/** Writes the header of a frame without a checksum. */
export function writeAdtsHeader(
  into: Buffer,
  offset: number,
  { sampleRateHz, channelCount }: AacKind,
  payloadBytes: number,
): void {
  const length = payloadBytes + ADTS_HEADER_BYTES;
  const rateIndex = RATES_HZ.indexOf(sampleRateHz);
  into.writeUInt16BE(0xff_f1, offset);
  into[offset + 2] = (LOW_COMPLEXITY << 6) | (rateIndex << 2) | (channelCount >>> 2);
  into.writeUInt32BE((((channelCount & 3) << 30) | (length << 13) | 0x1f_fc) >>> 0, offset + 3);
}
