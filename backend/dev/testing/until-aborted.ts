import { once } from "node:events";

/**
 * Waits until a signal is aborted. It may be aborted already: a job can be stopped before its conversion begins to wait.
 * @throws `signal.reason`
 */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
  signal.throwIfAborted();
}
