import { describe, expect, it } from "vitest";
import { followItems } from "./rows.ts";
import type { Row } from "./rows.ts";

const item = (id: string) => ({ id });
const resting = (...ids: string[]): Row[] => ids.map((id) => ({ item: item(id), motion: "resting" }));
const told = (rows: readonly Row[]) => rows.map((row) => `${row.item.id} ${row.motion}`);

describe("rows", () => {
  it("lets a new job enter and a missing one leave from its own place", () => {
    const rows = followItems(resting("c", "b", "a"), [item("d"), item("c"), item("a")]);
    expect(told(rows)).toEqual(["d entering", "c resting", "b leaving", "a resting"]);
  });

  it("keeps neighbours that leave together in order, also at the ends", () => {
    const rows = followItems(resting("d", "c", "b", "a"), [item("b")]);
    expect(told(rows)).toEqual(["d leaving", "c leaving", "b resting", "a leaving"]);
  });

  it("lets a job that comes back enter anew", () => {
    const left = followItems(resting("a"), []);
    expect(told(followItems(left, [item("a")]))).toEqual(["a entering"]);
  });
});
