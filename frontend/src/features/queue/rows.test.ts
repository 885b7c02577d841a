import { describe, expect, it } from "vitest";
import { updateRows } from "./rows.ts";
import type { Row } from "./rows.ts";

const item = (id: string) => ({ id });
const resting = (...ids: string[]): Row[] => ids.map((id) => ({ item: item(id), motion: "resting" }));
const summary = (rows: readonly Row[]) => rows.map((row) => `${row.item.id} ${row.motion}`);

describe("updateRows", () => {
  it("marks a new job as entering and a missing one as leaving at its position", () => {
    const rows = updateRows(resting("c", "b", "a"), [item("d"), item("c"), item("a")]);
    expect(summary(rows)).toEqual(["d entering", "c resting", "b leaving", "a resting"]);
  });

  it("keeps the order of leaving neighbours, also at the ends", () => {
    const rows = updateRows(resting("d", "c", "b", "a"), [item("b")]);
    expect(summary(rows)).toEqual(["d leaving", "c leaving", "b resting", "a leaving"]);
  });

  it("marks a job that returns as entering", () => {
    const left = updateRows(resting("a"), []);
    expect(summary(updateRows(left, [item("a")]))).toEqual(["a entering"]);
  });
});
