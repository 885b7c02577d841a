/** Splits a stream of AAC in ADTS (ISO/IEC 13818-7, 6.2) into groups of whole frames. Pure. */

export const SAMPLES_PER_AAC_FRAME = 1_024;
const HEADER_BYTES = 7;
/** Nine AAC frames last as long as eight MP3 frames, so a group ends where a piece may begin. */
export const FRAMES_PER_GROUP = 9;

/** The stream changes after its beginning, so its frames cannot be distributed to several lanes. */
export class NotPlainAac extends Error {}

export interface AacGroup {
  readonly bytes: Buffer;
  readonly frameCount: number;
}

/** Splits chunks of any size into groups. */
export class AacSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #frameCount = 0;
  #kind: number | undefined;
  /** Length of the first group, in frames. */
  readonly #firstGroupFrames: number;

  constructor(firstGroupFrames: number = FRAMES_PER_GROUP) {
    this.#firstGroupFrames = firstGroupFrames;
  }

  /**
   * @returns the frames that are complete by now; no group goes beyond a multiple of {@link FRAMES_PER_GROUP}
   * @throws NotPlainAac when a frame is of another kind than the first
   */
  push(chunk: Buffer): AacGroup[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const groups: AacGroup[] = [];
    let begin = 0;
    let offset = 0;
    let count = 0;
    const cut = (): void => {
      if (count > 0) groups.push({ bytes: bytes.subarray(begin, offset), frameCount: count });
      begin = offset;
      count = 0;
    };
    while (bytes.length >= offset + HEADER_BYTES) {
      const length = this.#frameLength(bytes, offset);
      if (bytes.length < offset + length) break;
      offset += length;
      count += 1;
      this.#frameCount += 1;
      if ((this.#frameCount - this.#firstGroupFrames) % FRAMES_PER_GROUP === 0) cut();
    }
    cut();
    this.#rest = bytes.subarray(offset);
    return groups;
  }

  #frameLength(bytes: Buffer, offset: number): number {
    // Sync word, profile, rate and channels are the same in every frame.
    const kind = bytes.readUInt32BE(offset) & 0xff_fe_fd_c0;
    this.#kind ??= kind;
    const length = (bytes.readUIntBE(offset + 3, 3) >>> 5) & 0x1fff;
    const blocksBeyondFirst = bytes.readUInt8(offset + 6) & 0x03;
    if (kind !== this.#kind || kind >>> 20 !== 0xfff || length < HEADER_BYTES || blocksBeyondFirst > 0)
      throw new NotPlainAac(`frame ${this.#frameCount} is not like the first`);
    return length;
  }
}
