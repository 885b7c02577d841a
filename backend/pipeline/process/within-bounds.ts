/** The bounds and the errors of a whole job of the pipeline. */
import { ConversionError } from "../../../common/errors.ts";
import { codeOf } from "../../tool-files/tool-files.ts";
import { TOOK_TOO_LONG } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";

/**
 * Runs a job, which counts among those that share the cores, for so long as a job may take.
 * @param onFailure runs before an error is thrown, unless `signal` is aborted
 * @throws ConversionError; `signal.reason` when aborted
 */
export async function withinBounds<T>(
  { pipeline, signal }: Work,
  run: (signal: AbortSignal) => Promise<T>,
  onFailure?: () => Promise<void>,
): Promise<T> {
  const timeLimit = AbortSignal.timeout(pipeline.limits.jobTimeoutMs);
  const share = pipeline.cores?.enter();
  try {
    return await run(AbortSignal.any([signal, timeLimit]));
  } catch (error) {
    signal.throwIfAborted();
    await onFailure?.();
    if (timeLimit.aborted) throw new ConversionError("timeout", { ...TOOK_TOO_LONG, isTransient: false });
    if (error instanceof ConversionError) throw error;
    const isDiskFull = codeOf(error) === "ENOSPC";
    throw new ConversionError(isDiskFull ? "storage" : "internal", { detail: String(error), cause: error });
  } finally {
    share?.[Symbol.dispose]();
  }
}
