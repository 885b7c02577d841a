/** The colour scheme of the page: the system's, or the one that the visitor chose. */
import { createStore } from "zustand/vanilla";
import { z } from "zod";
import type { TextStorage } from "../platform/text-storage.ts";

export const ColorScheme = z.enum(["system", "light", "dark"]);
export type ColorScheme = z.infer<typeof ColorScheme>;

/** index.html does the same with this key until the script has run. */
const KEY = "tapedeck.scheme";

export interface ColorSchemeState {
  readonly scheme: ColorScheme;
  /** Applies the scheme at once and stores it for later visits. */
  readonly choose: (scheme: ColorScheme) => void;
}

export interface ColorSchemeParts {
  readonly root: Pick<HTMLElement, "classList" | "style">;
  /** The `theme-color` meta elements, one per scheme, with the scheme in `data-scheme`. */
  readonly themeColors: () => Iterable<Pick<HTMLMetaElement, "dataset" | "media">>;
  readonly storage: TextStorage;
}

/** @returns the media query under which the theme colour of scheme `own` applies */
function mediaFor(own: string, chosen: ColorScheme): string {
  if (chosen === "system") return `(prefers-color-scheme: ${own})`;
  return own === chosen ? "all" : "not all";
}

export function createColorSchemeStore({ root, themeColors, storage }: ColorSchemeParts) {
  return createStore<ColorSchemeState>()((set) => ({
    scheme: ColorScheme.catch("system").parse(storage.getItem(KEY)),
    choose(scheme) {
      root.classList.remove("light", "dark");
      if (scheme !== "system") root.classList.add(scheme);
      // Every colour of the theme uses light-dark(), which follows this property and else the system.
      root.style.colorScheme = scheme === "system" ? "" : scheme;
      for (const color of themeColors()) color.media = mediaFor(color.dataset["scheme"] ?? "", scheme);
      if (scheme === "system") storage.removeItem(KEY);
      else storage.setItem(KEY, scheme);
      set({ scheme });
    },
  }));
}
