import type { SettingsOverrides } from "../../config/settings.ts";

const HOUR_MS = 3_600_000;

/**
 * Videos are held back for as long as a test needs, and a busy machine may stand still for seconds. Tests of the
 * pipeline are about its time limits; all others must not reach them.
 */
export const PATIENT_PIPELINE: SettingsOverrides["pipeline"] = {
  probeTimeoutMs: HOUR_MS,
  inspectTimeoutMs: HOUR_MS,
  stallTimeoutMs: HOUR_MS,
  paceWindowMs: HOUR_MS,
  thumbnailTimeoutMs: 60_000,
  coverWaitMs: 60_000,
  killGraceMs: 500,
  minFreeDiskBytes: 1_000_000,
};
