/** Tells when nothing arrives any more. */
import { ConversionError } from "../../../common/errors.ts";
import type { GuardSession } from "./egress-guard.ts";

export interface StallWatch extends Disposable {
  /** Aborts with a ConversionError "timeout". */
  readonly stalled: AbortSignal;
}

/** Watches a session's bytes until disposed. */
export function watchStall(session: GuardSession, stallTimeoutMs: number): StallWatch {
  const controller = new AbortController();
  let [lastBytes, lastChangeMs] = [session.bytesFetched, performance.now()];
  const timer = setInterval(() => {
    const [bytes, nowMs] = [session.bytesFetched, performance.now()];
    if (bytes !== lastBytes) [lastBytes, lastChangeMs] = [bytes, nowMs];
    else if (nowMs - lastChangeMs >= stallTimeoutMs)
      controller.abort(new ConversionError("timeout", { detail: `no byte for ${stallTimeoutMs} ms after ${bytes} bytes` }));
  }, stallTimeoutMs / 10);
  return { stalled: controller.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
