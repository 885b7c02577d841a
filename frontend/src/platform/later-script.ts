import { useEffect, useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

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
  const store = createStore<LaterScriptState<Script>>()(() => ({ script: null, hasFailed: false }));

  async function load(): Promise<Script | null> {
    const { script } = store.getState();
    if (script) return script;
    try {
      const loaded = await importScript();
      store.setState({ script: loaded, hasFailed: false });
      return loaded;
    } catch (error) {
      // Browsers throw a TypeError when a dynamic import fails.
      if (!(error instanceof TypeError)) throw error;
      store.setState({ hasFailed: true });
      return null;
    }
  }

  function useScript(): LaterScriptState<Script> {
    useEffect(() => void load(), []);
    return useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);
  }

  return {
    /** Loads the script; again after a failure. Gives null when it cannot be loaded. */
    load,
    /** A hook that loads the script, too. */
    useScript,
  };
}
