import type { SettingsOverrides } from "../../config/settings.ts";
import { HOUR_MS } from "../../../common/durations.ts";

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

/** For servers as processes whose tests are not about the time of a stop. */
export const PATIENT_STOP: SettingsOverrides["shutdown"] = { timeoutMs: 240_000, crashMs: 240_000 };

/** For servers whose tests are not about these times: on a busy machine a service may only seem to be away. */
export const PATIENT_SETTINGS: SettingsOverrides = {
  pipeline: PATIENT_PIPELINE,
  database: { startMs: 60_000, lostAfterMs: 60_000, readyMs: 60_000 },
  previews: { pictureMs: 60_000, sponsorsMs: 60_000 },
  signIn: { timeoutMs: 60_000 },
  payment: { timeoutMs: 60_000 },
};
