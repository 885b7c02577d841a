/** The page's one player; loaded with what shows jobs. */
import { storage } from "../platform/runtime.ts";
import { Player } from "../ready/player.ts";
import { createPlayerStore } from "../stores/player.ts";
import { hookOf } from "./store-hook.ts";
import { jobs } from "./stores.ts";

const store = createPlayerStore();

export const player = new Player({
  store,
  jobs,
  // Without `playsInline` an iPhone shows a picture on the whole screen.
  makeElement: (kind) => Object.assign(document.createElement(kind), { controls: true, playsInline: true }),
  session: (navigator as Partial<Navigator>).mediaSession,
  // None while pages are prerendered.
  windows: typeof window === "undefined" ? new EventTarget() : window,
  storage,
});

export const usePlayer = hookOf(store);
