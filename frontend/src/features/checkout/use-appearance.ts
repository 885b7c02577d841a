/** Styles of the provider's form, which is in its own frame and cannot use the theme's tokens. */
import type { Appearance } from "@stripe/stripe-js";
import { useMemo, useSyncExternalStore } from "react";
import { system } from "../../theme/theme.ts";

const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

/** The chosen scheme is on the root element; without it the system's scheme applies. */
function readIsDark(): boolean {
  const { colorScheme } = document.documentElement.style;
  return colorScheme === "" ? darkScheme.matches : colorScheme === "dark";
}

function listen(onChange: () => void): () => void {
  const choice = new MutationObserver(onChange);
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
  darkScheme.addEventListener("change", onChange);
  return () => {
    choice.disconnect();
    darkScheme.removeEventListener("change", onChange);
  };
}

/** @returns the computed colour of a token in the current scheme */
function resolveColor(probe: HTMLElement, token: string): string {
  probe.style.color = system.token.var(`colors.${token}`);
  return getComputedStyle(probe).color;
}

function readAppearance(isDark: boolean): Appearance {
  const probe = document.createElement("span");
  document.body.append(probe);
  try {
    const color = (token: string) => resolveColor(probe, token);
    const border = `1px solid ${color("edge")}`;
    return {
      theme: isDark ? "night" : "stripe",
      variables: {
        colorPrimary: color("accent.text"),
        colorBackground: color("bg.sunken"),
        colorText: color("fg"),
        colorTextSecondary: color("fg.muted"),
        colorTextPlaceholder: color("fg.muted"),
        colorDanger: color("bad"),
        fontFamily: "Inter, system-ui, sans-serif",
        fontSizeBase: "16px",
        borderRadius: "12px",
      },
      rules: {
        ".Input": { border, boxShadow: "none", padding: "12px" },
        ".Tab": { border, boxShadow: "none" },
        ".Label": { fontWeight: "600", fontSize: "14px" },
        ".Error": { fontSize: "14px" },
      },
    };
  } finally {
    probe.remove();
  }
}

/** The form's styles for the current colour scheme. */
export function useAppearance(): Appearance {
  const isDark = useSyncExternalStore(listen, readIsDark);
  return useMemo(() => readAppearance(isDark), [isDark]);
}
