import { expect, it } from "vitest";
import { openStorage } from "../platform/text-storage.ts";
import { createColorSchemeStore } from "./color-scheme.ts";

function setUp(stored: Record<string, string> = {}, refusal?: Error) {
  const items = new Map(Object.entries(stored));
  const classes = new Set<string>();
  const style = { colorScheme: "" };
  const themeColors = ["light", "dark"].map((scheme) => ({
    dataset: { scheme },
    media: `(prefers-color-scheme: ${scheme})`,
  }));
  const store = createColorSchemeStore({
    root: {
      classList: {
        add: (name: string) => classes.add(name),
        remove: (...names: string[]) => names.forEach((name) => classes.delete(name)),
      },
      style,
    } as unknown as HTMLElement,
    themeColors: () => themeColors,
    storage: openStorage(() => {
      if (refusal) throw refusal;
      return {
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => void items.set(key, value),
        removeItem: (key) => void items.delete(key),
      };
    }),
  });
  return { store, style, classes, items, themeColors };
}

it("follows the system by default and when chosen again", () => {
  const { store, style, classes, items } = setUp();
  expect(store.getState().scheme).toBe("system");
  store.getState().choose("dark");
  expect([style.colorScheme, [...classes], items.get("tapedeck.scheme")]).toEqual(["dark", ["dark"], "dark"]);
  store.getState().choose("light");
  expect([style.colorScheme, [...classes], items.get("tapedeck.scheme")]).toEqual(["light", ["light"], "light"]);
  store.getState().choose("system");
  expect([style.colorScheme, [...classes], items.size]).toEqual(["", [], 0]);
});

it("sets the theme-color elements", () => {
  const { store, themeColors } = setUp();
  const media = () => themeColors.map((themeColor) => themeColor.media);
  store.getState().choose("dark");
  expect(media()).toEqual(["not all", "all"]);
  store.getState().choose("light");
  expect(media()).toEqual(["all", "not all"]);
  store.getState().choose("system");
  expect(media()).toEqual(["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]);
});

it.each([
  ["dark", "dark"],
  ["sepia", "system"],
])("reads a stored %s as %s", (stored, scheme) => {
  expect(setUp({ "tapedeck.scheme": stored }).store.getState().scheme).toBe(scheme);
});

it("works without storage until the page is left", () => {
  const { store, style } = setUp({}, new DOMException("denied", "SecurityError"));
  store.getState().choose("dark");
  expect([store.getState().scheme, style.colorScheme]).toEqual(["dark", "dark"]);
});

it("throws other errors than those of storage", () => {
  expect(() => setUp({}, new RangeError("ours"))).toThrow(RangeError);
});
