import { describe, expect, it } from "vitest";
import { colors } from "./colors.ts";

/** Contrast of text with its background, WCAG 1.4.3. */
const TEXT_CONTRAST = 4.5;
/** Contrast of the parts that show a control or its state, WCAG 1.4.11. */
const CONTROL_CONTRAST = 3;

const PLAIN = ["bg", "bg.sunken", "surface", "surface.raised"];

/** Each colour with the backgrounds on which it is drawn. */
const TEXTS: Record<string, readonly string[]> = {
  fg: [...PLAIN, "accent.soft", "bad.soft"],
  "fg.muted": [...PLAIN, "track"],
  "accent.ink": ["accent", "accent.hover"],
  "accent.text": [...PLAIN, "accent.soft"],
  ok: [...PLAIN, "ok.soft"],
  bad: [...PLAIN, "bad.soft"],
  surface: ["bad"],
  bg: ["fg"],
};
const CONTROLS: Record<string, readonly string[]> = {
  // Edges of fields and of the chosen option.
  edge: [...PLAIN, "track"],
  // The focus.
  "accent.text": [...PLAIN, "track"],
  // Edge of a field with a problem.
  bad: PLAIN,
};

const SCHEMES = ["light", "dark"] as const;

/** @returns the value of a colour such as `#faf8f3` */
function valueOf(name: string, scheme: (typeof SCHEMES)[number]): string {
  const [group = "", shade = "DEFAULT"] = name.split(".");
  const entry: object = colors[group as keyof typeof colors];
  const token: unknown = "value" in entry ? entry : entry[shade as keyof typeof entry];
  const [, light, dark] = /light-dark\((#\w{6}), (#\w{6})\)/.exec((token as { value: string }).value) ?? [];
  const value = scheme === "light" ? light : dark;
  if (value === undefined) throw new Error(`no colour ${name}`);
  return value;
}

/** Relative luminance as WCAG defines it. */
function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @returns the pairs below the given contrast */
function tooWeak(
  pairs: Record<string, readonly string[]>,
  scheme: (typeof SCHEMES)[number],
  atLeast: number,
): string[] {
  return Object.entries(pairs).flatMap(([name, backgrounds]) =>
    backgrounds
      .map((background) => [background, contrastOf(valueOf(name, scheme), valueOf(background, scheme))] as const)
      .filter(([, contrast]) => contrast < atLeast)
      .map(([background, contrast]) => `${name} on ${background}: ${contrast.toFixed(2)}`),
  );
}

it("computes the contrast as WCAG defines it", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

describe.each(SCHEMES)("colours, %s", (scheme) => {
  it("have enough contrast for text", () => expect(tooWeak(TEXTS, scheme, TEXT_CONTRAST)).toEqual([]));
  it("have enough contrast for edges and the focus", () =>
    expect(tooWeak(CONTROLS, scheme, CONTROL_CONTRAST)).toEqual([]));
});
