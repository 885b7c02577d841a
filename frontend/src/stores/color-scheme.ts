/** The colours of the page: those of the system, or the ones the visitor chose. */
import { createStore } from "zustand/vanilla";
import { z } from "zod";

export const ColorScheme = z.enum(["system", "light", "dark"]);
export type ColorScheme = z.infer<typeof ColorScheme>;

/** Read by the first lines of index.html too, before anything is painted. */
const KEY = "tapedeck.scheme";

export interface ColorSchemeState {
  readonly scheme: ColorScheme;
  /** Holds at once and on later visits. */
  readonly choose: (scheme: ColorScheme) => void;
}

export interface ColorSchemeParts {
  readonly root: Pick<HTMLElement, "classList" | "style">;
  /** The colours of the browser's own bars, one for each scheme, which say whose they are by `data-scheme`. */
  readonly barColors: () => Iterable<Pick<HTMLMetaElement, "dataset" | "media">>;
  /** Throws DOMException in a browser that keeps nothing. */
  readonly storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/** When a colour of the bars holds. */
function mediaFor(own: string, chosen: ColorScheme): string {
  if (chosen === "system") return `(prefers-color-scheme: ${own})`;
  return own === chosen ? "all" : "not all";
}

export function createColorSchemeStore({ root, barColors, storage }: ColorSchemeParts) {
  /** What a browser that keeps nothing refuses, is done without. */
  function tryStorage<Outcome>(ask: (storage: ReturnType<ColorSchemeParts["storage"]>) => Outcome): Outcome | null {
    try {
      return ask(storage());
    } catch (error) {
      if (error instanceof DOMException) return null;
      throw error;
    }
  }

  return createStore<ColorSchemeState>()((set) => ({
    scheme: ColorScheme.catch("system").parse(tryStorage((kept) => kept.getItem(KEY))),
    choose(scheme) {
      root.classList.remove("light", "dark");
      if (scheme !== "system") root.classList.add(scheme);
      // Every colour of the theme follows this one property; without it, the system decides.
      root.style.colorScheme = scheme === "system" ? "" : scheme;
      for (const color of barColors()) color.media = mediaFor(color.dataset["scheme"] ?? "", scheme);
      tryStorage((kept) => (scheme === "system" ? kept.removeItem(KEY) : kept.setItem(KEY, scheme)));
      set({ scheme });
    },
  }));
}
