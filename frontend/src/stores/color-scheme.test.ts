import { expect, it } from "vitest";
import { createColorSchemeStore } from "./color-scheme.ts";

function setUp(kept: Record<string, string> = {}, refusal?: Error) {
  const table = new Map(Object.entries(kept));
  const classes = new Set<string>();
  const style = { colorScheme: "" };
  const store = createColorSchemeStore({
    root: { classList: { add: (name: string) => classes.add(name), remove: (...names: string[]) => names.forEach((name) => classes.delete(name)) }, style } as unknown as HTMLElement,
    storage: () => {
      if (refusal) throw refusal;
      return { getItem: (key) => table.get(key) ?? null, setItem: (key, value) => void table.set(key, value), removeItem: (key) => void table.delete(key) };
    },
  });
  return { store, style, classes, table };
}

it("follows the system until told otherwise, and again when told so", () => {
  const { store, style, classes, table } = setUp();
  expect(store.getState().scheme).toBe("system");
  store.getState().choose("dark");
  expect([style.colorScheme, [...classes], table.get("tapedeck.scheme")]).toEqual(["dark", ["dark"], "dark"]);
  store.getState().choose("light");
  expect([style.colorScheme, [...classes], table.get("tapedeck.scheme")]).toEqual(["light", ["light"], "light"]);
  store.getState().choose("system");
  expect([style.colorScheme, [...classes], table.size]).toEqual(["", [], 0]);
});

it.each([["dark", "dark"], ["sepia", "system"]])("kept from an earlier visit, %s is %s", (kept, scheme) => {
  expect(setUp({ "tapedeck.scheme": kept }).store.getState().scheme).toBe(scheme);
});

it("works in a browser that keeps nothing, for as long as the page is open", () => {
  const { store, style } = setUp({}, new DOMException("denied", "SecurityError"));
  store.getState().choose("dark");
  expect([store.getState().scheme, style.colorScheme]).toEqual(["dark", "dark"]);
});

it("does not hide other mistakes", () => {
  expect(() => setUp({}, new RangeError("ours"))).toThrow(RangeError);
});
