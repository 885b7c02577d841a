/** A byte range of a file that is still being written: bytes from `from` up to, not including, `to` are final. */
export interface FinalBytes {
  readonly from: number;
  readonly to: number;
}
