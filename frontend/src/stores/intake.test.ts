import { describe, expect, it } from "vitest";
import { createBatchStore } from "./batch.ts";
import { createConverterStore } from "./converter.ts";
import { createIntakeStore } from "./intake.ts";

const A = "https://youtu.be/a";
const B = "https://youtu.be/b";
const never = () => new Promise<never>(() => undefined);

function intakeOf({ isPro = false } = {}) {
  const common = { notify: () => undefined, onCreated: () => undefined, videoHosts: () => [] };
  const converter = createConverterStore({
    ...common,
    createConversion: never,
    isJobInView: () => true,
    choices: () => undefined,
    refusal: () => null,
  });
  const batch = createBatchStore({ ...common, createBatch: never, format: () => "mp3", choices: () => undefined });
  const intake = createIntakeStore({ converter, batch, videoHosts: () => [], canBatch: () => isPro });
  return { converter, batch, intake, takeLinks: intake.getState().takeLinks };
}

describe("intake of pasted, dropped or shared text", () => {
  it.each([
    [A, A],
    [`Look at this: ${A}!`, A],
    ["https://example.com/x", "https://example.com/x"],
    ["  cats ", "cats"],
    ["[Song](https://youtu.be/dQw4w9WgXcQ)", "https://youtu.be/dQw4w9WgXcQ"],
    ["youtu.be/dQw4w9WgXcQ&t=30", "https://youtu.be/dQw4w9WgXcQ&t=30"],
    ["youtube.com/@me: https://youtu.be/dQw4w9WgXcQ?si=x", "https://youtu.be/dQw4w9WgXcQ?si=x"],
  ])("turns %j into the field text %j", async (text, link) => {
    const { converter, intake, takeLinks } = intakeOf();
    expect(await takeLinks(text)).toBe(true);
    expect(converter.getState().link).toBe(link);
    expect(intake.getState()).toMatchObject({ several: null, needsFocus: true });
  });

  it("does not change the field when a text has no link", async () => {
    const { converter, intake, takeLinks } = intakeOf();
    expect(await takeLinks("nothing to see\nhere")).toBe(false);
    expect(converter.getState().link).toBe("");
    expect(intake.getState().needsFocus).toBe(false);
  });

  it("takes only links out of a text that is pasted into another", async () => {
    const { converter, takeLinks } = intakeOf();
    for (const rest of ["tu.be/dQw4w9WgXcQ", "&list=PLrAXtmErZgOeiKm4", "cats"])
      expect(await takeLinks(rest, true)).toBe(false);
    expect(converter.getState().link).toBe("");
    expect(await takeLinks(`Look: ${A}`, true)).toBe(true);
    expect(converter.getState().link).toBe(A);
  });

  it("does not change the field while a request is in progress", async () => {
    const { converter, takeLinks } = intakeOf();
    converter.getState().setLink(A);
    void converter.getState().submit();
    expect(await takeLinks(B)).toBe(false);
    expect(converter.getState().link).toBe(A);
  });

  it("keeps the first of several links without the batch form", async () => {
    const { converter, batch, intake, takeLinks } = intakeOf();
    await takeLinks(`${A}\n${B}`);
    expect(converter.getState().link).toBe(A);
    expect(intake.getState().several).toEqual({ count: 2, text: A });
    expect(batch.getState()).toMatchObject({ isChosen: false, text: "" });
  });

  it("puts several links into the batch form for Pro, after the text in it", async () => {
    const { converter, batch, intake, takeLinks } = intakeOf({ isPro: true });
    await takeLinks(`${A}\nnot a link\n${B}`);
    expect(batch.getState()).toMatchObject({ isChosen: true, text: `${A}\nnot a link\n${B}` });
    expect(intake.getState().several?.count).toBe(2);
    expect(converter.getState().link).toBe("");
    await takeLinks("https://youtu.be/c");
    expect(batch.getState().text).toBe(`${A}\nnot a link\n${B}\nhttps://youtu.be/c`);
  });

  it("puts each link of a sentence on its own line", async () => {
    const { batch, takeLinks } = intakeOf({ isPro: true });
    await takeLinks(`First ${A}, then ${B}.`);
    expect(batch.getState().text).toBe(`${A}\n${B}`);
  });
});
