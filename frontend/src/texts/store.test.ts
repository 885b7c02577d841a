import { beforeAll, afterAll, expect, it, vi } from "vitest";
import { ErrorBody, SENTENCES, STOPPED_TOO_OFTEN } from "../../../common/errors.ts";
import { de } from "./de.ts";
import { chooseLanguage, sentenceOf } from "./store.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  await chooseLanguage("de");
});
afterAll(async () => {
  await chooseLanguage("en");
  vi.unstubAllGlobals();
});

it("translates the sentence of a known error code", () => {
  expect(sentenceOf({ code: "too_long", message: "Longer than 20 minutes." })).toBe(de.errors.too_long);
  for (const message of [SENTENCES.internal, STOPPED_TOO_OFTEN])
    expect(sentenceOf({ code: "internal", message })).toBe(de.errors.internal);
});

it("shows the server's message for an error code that this build does not know", () => {
  const error = ErrorBody.parse({ code: "code_of_a_newer_server", message: "All lines are busy." });
  expect(sentenceOf(error)).toBe("All lines are busy.");
});
