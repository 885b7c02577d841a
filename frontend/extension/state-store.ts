/**
 * The conversions, kept where they survive the background: browsers stop it after half a minute without an event. Only
 * the background writes them, so what it has read once is what is stored.
 */
import { browser } from "./browser.ts";
import { NOTHING, State } from "./conversions.ts";

const STATE_KEY = "state";

export class StateStore {
  readonly #onChange: (state: State) => Promise<void>;
  #loading: Promise<void> | undefined;
  #state = NOTHING;

  /** @param onChange called with each new state, once it is stored */
  constructor(onChange: (state: State) => Promise<void>) {
    this.#onChange = onChange;
  }

  async read(): Promise<State> {
    await (this.#loading ??= this.#load());
    return this.#state;
  }

  /** Changes the state, without anything between reading and writing it. */
  async change(next: (state: State) => State): Promise<State> {
    const before = await this.read();
    this.#state = next(this.#state);
    if (this.#state === before) return before;
    await browser.storage.session.set({ [STATE_KEY]: this.#state });
    await this.#onChange(this.#state);
    return this.#state;
  }

  async #load(): Promise<void> {
    const stored = (await browser.storage.session.get(STATE_KEY))[STATE_KEY];
    // Nothing is stored after the start of the browser.
    this.#state = State.safeParse(stored).data ?? NOTHING;
  }
}
