/** Films of rows at every width at which something has another place, in every view; three are in `places.component.test.tsx`. */
import { expect, it } from "vitest";
import { filmBatch, filmRows, type View } from "../../testing/row-film.ts";
import type { SavingApp } from "../../platform/saving-app.ts";

const INSIDE_AN_APP: SavingApp = { kind: "inside", isAndroid: true };

const at = (view: View, widths: readonly number[]) => widths.map((width) => [view, width, null] as const);

it.each<readonly [View, number, SavingApp | null]>([
  ...at("queue", [320, 640, 641, 700, 768]),
  ["queue", 390, INSIDE_AN_APP],
  ...at("batch", [390, 1280]),
  ...at("dashboard", [320, 390, 641, 1280]),
])("controls keep their places in all changes of a job (%s, %i wide, %j)", async (view, width, app) => {
  expect(await filmRows(view, width, app)).toEqual([]);
});

it.each([320, 640, 641, 700, 768, 1280])(
  "controls keep their places in all changes of a batch (%i wide)",
  async (width) => {
    expect(await filmBatch(width)).toEqual([]);
  },
);
