import { chakra } from "@chakra-ui/react";
import { useStore } from "zustand";
import { storage } from "../../platform/runtime.ts";
import { ColorScheme, createColorSchemeStore } from "../../stores/color-scheme.ts";
import { useTexts } from "../../texts/store.ts";
import { Segments } from "../Segments.tsx";
import { MoonIcon, SunIcon, SystemIcon } from "../icons.tsx";
import { useIsHydrated } from "../use-is-hydrated.ts";

const ICONS = { system: SystemIcon, light: SunIcon, dark: MoonIcon } as const satisfies Record<ColorScheme, unknown>;

const isBrowser = typeof document === "object";
const store = createColorSchemeStore({
  root: isBrowser ? document.documentElement : ({} as HTMLElement),
  themeColors: () => document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"),
  storage,
});

/** Switches between light, dark and the system's colour scheme. */
export function ColorSwitch() {
  const { colors } = useTexts().footer;
  const { scheme, choose } = useStore(store);
  const shown = useIsHydrated() ? scheme : "system";
  return (
    <Segments
      label={colors.label}
      // index.html applies a choice that is made before hydration.
      name="scheme"
      values={ColorScheme.options}
      value={shown}
      onChange={choose}
      tipOf={(option) => colors[option]}
    >
      {(option) => {
        const Icon = ICONS[option];
        return (
          <>
            <Icon />
            <chakra.span srOnly>{colors[option]}</chakra.span>
          </>
        );
      }}
    </Segments>
  );
}
