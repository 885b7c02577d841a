/** Wakes a stopped background while something is pending. */
import { browser } from "./browser.ts";

const NAME = "go-on";
/** Browsers allow no shorter period. */
const PERIOD_MINUTES = 0.5;

export class Alarm {
  #isSet: boolean | undefined;

  /** Nothing happens where nothing changes: an alarm that is set anew begins its period anew. */
  async set(isNeeded: boolean): Promise<void> {
    if (this.#isSet === isNeeded) return;
    this.#isSet = isNeeded;
    if (isNeeded) await browser.alarms.create(NAME, { periodInMinutes: PERIOD_MINUTES });
    else await browser.alarms.clear(NAME);
  }
}
