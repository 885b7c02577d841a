/**
 * Of a file that is still being written: what lies from `from` on and before `to`, in bytes, will not change any more.
 */
export interface FinalBytes {
  readonly from: number;
  readonly to: number;
}
