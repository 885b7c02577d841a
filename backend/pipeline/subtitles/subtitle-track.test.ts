import { expect, it } from "vitest";
import { threeLetters } from "./subtitle-track.ts";

it.each([
  ["en", "eng"],
  ["pt-BR", "por"],
  ["en-ehkg1hFWq8A", "eng"],
  ["en-US-UHrYkJt0gGM", "eng"],
  ["de.CcQ45jRV4-E", "deu"],
  ["iw", "heb"],
  ["fil", "fil"],
  ["xx-CcQ45jRV4-E", "und"],
])("states the language %j in a file as %j", (language, code) => {
  expect(threeLetters(language)).toBe(code);
});
