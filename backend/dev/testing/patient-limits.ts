import { DEFAULT_PIPELINE_LIMITS, type PipelineLimits } from "../../pipeline/limits.ts";

const PATIENCE_MS = 240_000;

/** For tests that are not about the times of the pipeline: none of them is reached because the machine is busy. */
export const PATIENT_LIMITS: PipelineLimits = {
  ...DEFAULT_PIPELINE_LIMITS,
  probeTimeoutMs: PATIENCE_MS,
  inspectTimeoutMs: PATIENCE_MS,
  stallTimeoutMs: PATIENCE_MS,
  paceWindowMs: PATIENCE_MS,
  thumbnailTimeoutMs: PATIENCE_MS,
  coverWaitMs: PATIENCE_MS,
};
