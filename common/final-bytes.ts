/** A byte range of a file that is still being written: bytes from `from` up to, not including, `to` are final. */
export interface FinalBytes {
  readonly from: number;
  readonly to: number;
  /**
   * For readers who get the file before it is complete: what they get in the place of the bytes just before `from`, which
   * are written last. The bytes before those are final. Absent where the file cannot be read that early.
   */
  readonly standIn?: Uint8Array;
  /**
   * Of the complete file, where it is sure beforehand. Readers of a file that turns out to have another size are cut off.
   */
  readonly sizeBytes?: number | undefined;
}
