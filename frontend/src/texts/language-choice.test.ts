import { afterEach, expect, it, vi } from "vitest";
import { chosenLanguage, storeChoice } from "./language-choice.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function openBrowser({ cookie = "", old, protocol = "http:" }: { cookie?: string; old?: string; protocol?: string }) {
  const written: string[] = [];
  const stored = new Map(old === undefined ? [] : [["tapedeck.language", old]]);
  vi.stubGlobal("document", {
    get cookie() {
      return cookie;
    },
    set cookie(text: string) {
      written.push(text);
    },
  });
  vi.stubGlobal("window", {
    location: { protocol },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      removeItem: (key: string) => stored.delete(key),
    },
  });
  return { written, stored };
}

const GERMAN = "tapedeck.language=de; Path=/; Max-Age=34560000; SameSite=Lax";

it.each([
  ["tapedeck.language=de", "de"],
  ["a=b; tapedeck.language=ar; c=d", "ar"],
  ["tapedeck.language=fr", null],
  ["tapedeck.language=", null],
  ["other.tapedeck.language=de", null],
  ["", null],
] as const)("reads the choice from the cookies %j", (cookie, language) => {
  openBrowser({ cookie });
  expect(chosenLanguage()).toBe(language);
});

it("moves the choice of an earlier build into the cookie, once", () => {
  const { written, stored } = openBrowser({ old: "de" });
  expect([chosenLanguage(), written, stored.size]).toEqual(["de", [GERMAN], 0]);
  expect(chosenLanguage()).toBeNull();
});

it("prefers the cookie to the choice of an earlier build, and ignores a language that it does not know", () => {
  const chosenLater = openBrowser({ cookie: "tapedeck.language=hi", old: "de" });
  expect([chosenLanguage(), chosenLater.written, chosenLater.stored.size]).toEqual(["hi", [], 0]);
  const unknown = openBrowser({ old: "tlh" });
  expect([chosenLanguage(), unknown.written]).toEqual([null, []]);
});

it("writes a secure cookie on an https page", () => {
  const { written } = openBrowser({ protocol: "https:" });
  storeChoice("de");
  expect(written).toEqual([`${GERMAN}; Secure`]);
});

it("ignores that a browser refuses cookies", () => {
  openBrowser({});
  vi.stubGlobal("document", {
    get cookie(): string {
      throw new DOMException("denied", "SecurityError");
    },
    set cookie(_: string) {
      throw new DOMException("denied", "SecurityError");
    },
  });
  storeChoice("de");
  expect(chosenLanguage()).toBeNull();
});
