/** One timer for all components that depend on the current time. */
import { useSyncExternalStore } from "react";
import { jobs } from "../../client/stores.ts";
import { serverNow } from "../../stores/jobs.ts";

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const tick of listeners) tick();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Computes a value from the current time every second; the component renders again only when it differs.
 * @param compute receives milliseconds since 1970, by the server's clock
 */
export function useAtTime<Value extends string | number | boolean>(compute: (nowMs: number) => Value): Value {
  return useSyncExternalStore(subscribe, () => compute(serverNow(jobs.getState())));
}
