import { describe, expect, it } from "vitest";
import { createBatchStore } from "./batch.ts";
import { createConverterStore } from "./converter.ts";
import { createIntakeStore } from "./intake.ts";

const [A, B] = ["https://youtu.be/a", "https://youtu.be/b"];
const never = () => new Promise<never>(() => undefined);

function intakeOf({ isPro = false } = {}) {
  const common = { notify: () => undefined, onCreated: () => undefined, videoHosts: () => [] };
  const converter = createConverterStore({ ...common, createConversion: never });
  const batch = createBatchStore({ ...common, createBatch: never, format: () => "mp3" });
  const intake = createIntakeStore({ converter, batch, videoHosts: () => [], canBatch: () => isPro });
  return { converter, batch, intake, take: intake.getState().take };
}

describe("what comes into the page by itself", () => {
  it.each([
    [A, A],
    [`Look at this: ${A}!`, A],
    ["https://example.com/x", "https://example.com/x"],
    ["  cats ", "cats"],
  ])("of %j the field gets %j", (text, link) => {
    const { converter, intake, take } = intakeOf();
    expect(take(text)).toBe(true);
    expect(converter.getState().link).toBe(link);
    expect(intake.getState()).toMatchObject({ several: null, hasArrived: true });
  });

  it("leaves the field alone when a text has no link", () => {
    const { converter, intake, take } = intakeOf();
    expect(take("nothing to see\nhere")).toBe(false);
    expect(converter.getState().link).toBe("");
    expect(intake.getState().hasArrived).toBe(false);
  });

  it("leaves it alone while a request is under way", () => {
    const { converter, take } = intakeOf();
    converter.getState().setLink(A);
    void converter.getState().submit();
    expect(take(B)).toBe(false);
    expect(converter.getState().link).toBe(A);
  });

  it("keeps the first of several links where one is all there is", () => {
    const { converter, batch, intake, take } = intakeOf();
    take(`${A}\n${B}`);
    expect(converter.getState().link).toBe(A);
    expect(intake.getState().several).toEqual({ count: 2, text: A });
    expect(batch.getState()).toMatchObject({ isChosen: false, text: "" });
  });

  it("makes a batch of several for Pro, and adds to one that is being written", () => {
    const { converter, batch, intake, take } = intakeOf({ isPro: true });
    take(`${A}\nnot a link\n${B}`);
    expect(batch.getState()).toMatchObject({ isChosen: true, text: `${A}\nnot a link\n${B}` });
    expect(intake.getState().several?.count).toBe(2);
    expect(converter.getState().link).toBe("");
    take("https://youtu.be/c");
    expect(batch.getState().text).toBe(`${A}\nnot a link\n${B}\nhttps://youtu.be/c`);
  });

  it("gives each link of a sentence its own line", () => {
    const { batch, take } = intakeOf({ isPro: true });
    take(`First ${A}, then ${B}.`);
    expect(batch.getState().text).toBe(`${A}\n${B}`);
  });
});
