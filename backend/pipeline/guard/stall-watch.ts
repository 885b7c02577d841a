/** Detects downloads that have stalled. */
import { ConversionError } from "../../../common/errors.ts";
import type { GuardSession } from "./egress-guard.ts";

export interface StallWatch extends Disposable {
  /** Aborts with ConversionError "timeout" when no byte arrives for `stallTimeoutMs`. */
  readonly stalled: AbortSignal;
}

/** Watches the received bytes of a session until disposed. */
export function watchStall(session: GuardSession, stallTimeoutMs: number): StallWatch {
  const controller = new AbortController();
  let lastBytes = session.bytesFetched;
  let lastChangeMs = performance.now();
  const timer = setInterval(() => {
    const bytes = session.bytesFetched;
    const nowMs = performance.now();
    if (bytes !== lastBytes) {
      lastBytes = bytes;
      lastChangeMs = nowMs;
    } else if (nowMs - lastChangeMs >= stallTimeoutMs)
      controller.abort(
        new ConversionError("timeout", { detail: `no byte for ${stallTimeoutMs} ms after ${bytes} bytes` }),
      );
  }, stallTimeoutMs / 10);
  return { stalled: controller.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
