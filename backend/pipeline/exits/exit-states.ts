/** Where the states of exits are kept. The in-process form is here; the runtime connects the form in Redis. */
import { type ExitState, UNUSED_EXIT } from "./exit-state.ts";

export interface ExitStates {
  /** @returns what this process knows of the exit at the moment */
  get(exitName: string): ExitState;
  /**
   * Changes a state in one step for all processes. Never rejects.
   * @param change called again when another process was faster; undefined leaves the state as it is
   * @returns the new state, or undefined when `change` returned that
   */
  update(exitName: string, change: (state: ExitState) => ExitState | undefined): Promise<ExitState | undefined>;
  /** Calls the handler after each change, also of another process. */
  onChange(handler: () => void): void;
}

export class InProcessExitStates implements ExitStates {
  readonly #states = new Map<string, ExitState>();
  readonly #handlers: (() => void)[] = [];

  get(exitName: string): ExitState {
    return this.#states.get(exitName) ?? UNUSED_EXIT;
  }

  update(exitName: string, change: (state: ExitState) => ExitState | undefined): Promise<ExitState | undefined> {
    const state = change(this.get(exitName));
    if (state) {
      this.#states.set(exitName, state);
      for (const handler of this.#handlers) handler();
    }
    return Promise.resolve(state);
  }

  onChange(handler: () => void): void {
    this.#handlers.push(handler);
  }
}
