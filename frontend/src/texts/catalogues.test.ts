import { describe, expect, it } from "vitest";
import { EXACT_SENTENCES, SENTENCES } from "../../../common/errors.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { hi } from "./hi.ts";

type TextFunction = (...figures: unknown[]) => unknown;

/** Every text of a catalogue by its path, "queue.empty.title". */
function textsByPath(value: unknown, path = ""): Map<string, string | TextFunction> {
  if (typeof value === "string" || typeof value === "function")
    return new Map([[path, value as string | TextFunction]]);
  if (typeof value !== "object" || value === null) throw new Error(`${path} is no text`);
  return new Map(Object.entries(value).flatMap(([key, part]) => [...textsByPath(part, path ? `${path}.${key}` : key)]));
}

/** @returns the indexes of the figures that a text uses; none for a fixed text */
function figuresIn(text: string | TextFunction | undefined): number[] {
  if (typeof text !== "function") return [];
  const figures = [3, 4, 5];
  const shown = text(...figures);
  return figures.flatMap((_, index) =>
    [11, 0].some((other) => text(...figures.with(index, other)) !== shown) ? index : [],
  );
}

/** Names and terms that are the same in some languages. */
const SAME_WORD = new Set(["API", "Pro", "Format", "original"]);

// English pages have their own sentences of errors, and show those of the server.
const english = textsByPath({ ...en, errors: SENTENCES, exactErrors: EXACT_SENTENCES });

describe.each(Object.entries({ de, es, hi, ar }))("the catalogue %s", (_, catalogue) => {
  const texts = textsByPath(catalogue);

  it("has the same keys as English", () => expect([...texts.keys()].sort()).toEqual([...english.keys()].sort()));

  it("uses the same figures as English", () => {
    const figuresOf = (all: typeof texts) =>
      [...english.keys()].map((path) => [path, typeof all.get(path), figuresIn(all.get(path))]);
    expect(figuresOf(texts)).toEqual(figuresOf(english));
  });

  it("has no empty and no English texts", () => {
    const untranslated = [...texts].filter(
      ([path, text]) => text === "" || (text === english.get(path) && !SAME_WORD.has(String(text))),
    );
    expect(untranslated).toEqual([]);
  });

  it("has a sentence for every error code", () =>
    expect(Object.keys(catalogue.errors).sort()).toEqual(Object.keys(SENTENCES).sort()));
});
