/** Waveforms of finished files. They need the tools of a worker, so they are made behind a port. */
import type { Domain } from "../domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { getCuttableJob } from "./cut-jobs.ts";

export interface Waveforms {
  /**
   * @returns peaks of the stored file from 0 to 100, evenly over its length; at most 1,200
   * @throws UserError unavailable_now, also for a file without sound; `signal.reason` when aborted
   */
  of(fileKey: string, signal: AbortSignal): Promise<readonly number[]>;
}

/** @throws what {@link getCuttableJob} and {@link Waveforms.of} throw */
export async function readWaveform(
  domain: Domain,
  waveforms: Waveforms,
  viewer: Viewer,
  id: string,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { fileKey } = await getCuttableJob(domain, viewer, id);
  return waveforms.of(fileKey, signal);
}
