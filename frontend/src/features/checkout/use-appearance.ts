/** Styles of the provider's form, which is in its own frame and cannot use the theme's tokens. */
import type { Appearance } from "@stripe/stripe-js";
import { useMemo } from "react";
import { useIsDark } from "../../components/use-is-dark.ts";
import { system } from "../../theme/theme.ts";

/** @returns the computed colour of a token in the current scheme */
function resolveColor(probe: HTMLElement, token: string): string {
  probe.style.color = system.tokens.getVar(`colors.${token}`) ?? "";
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
  const isDark = useIsDark();
  return useMemo(() => readAppearance(isDark), [isDark]);
}
