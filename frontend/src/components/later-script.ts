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
export class LaterScript<Script extends object> {
  private readonly importScript: () => Promise<Script>;
  private readonly none: LaterScriptState<Script> = { script: null, hasFailed: false };
  private state = this.none;
  private readonly listeners = new Set<() => void>();

  constructor(importScript: () => Promise<Script>) {
    this.importScript = importScript;
  }

  /** Loads the script; again after a failure. */
  readonly load = async (): Promise<void> => {
    if (this.state.script) return;
    try {
      this.change({ script: await this.importScript(), hasFailed: false });
    } catch (error) {
      // Browsers throw a TypeError when a dynamic import fails.
      if (!(error instanceof TypeError)) throw error;
      this.change({ script: null, hasFailed: true });
    }
  };

  /** A hook that loads the script, too. */
  readonly use = (): LaterScriptState<Script> => {
    useEffect(() => void this.load(), []);
    return useSyncExternalStore(
      this.subscribe,
      () => this.state,
      () => this.none,
    );
  };

  private readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private change(state: LaterScriptState<Script>): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
