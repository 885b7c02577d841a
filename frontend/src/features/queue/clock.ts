/** One clock for everything on the page that changes by itself with time. */
import { useSyncExternalStore } from "react";

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

/** What the time makes of something; renders again only when the outcome differs. */
export function useAtTime<Outcome extends string | number | boolean>(outcomeAt: (nowMs: number) => Outcome): Outcome {
  return useSyncExternalStore(subscribe, () => outcomeAt(Date.now()));
}
