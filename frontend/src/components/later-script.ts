import { useEffect, useSyncExternalStore } from "react";

interface LaterScriptState<Script> {
  /** Null until it is loaded. */
  readonly script: Script | null;
  readonly hasFailed: boolean;
}

/**
 * A script that is loaded right after the first ones, before it is needed. `lazy` would show an empty place at its first
 * use even then.
 */
export function laterScript<Script extends object>(importScript: () => Promise<Script>) {
  const none: LaterScriptState<Script> = { script: null, hasFailed: false };
  let state = none;
  const listeners = new Set<() => void>();

  function change(next: LaterScriptState<Script>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function load(): Promise<void> {
    if (state.script) return;
    try {
      change({ script: await importScript(), hasFailed: false });
    } catch (error) {
      // Browsers throw a TypeError when a dynamic import fails.
      if (!(error instanceof TypeError)) throw error;
      change({ script: null, hasFailed: true });
    }
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function useScript(): LaterScriptState<Script> {
    useEffect(() => void load(), []);
    return useSyncExternalStore(
      subscribe,
      () => state,
      () => none,
    );
  }

  return {
    /** Loads the script; again after a failure. */
    load,
    /** A hook that loads the script, too. */
    useScript,
  };
}
