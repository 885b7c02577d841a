import { describe, expect, it } from "vitest";
import { rowsInView, rowsPerPage, scrollTopFor } from "./row-window.ts";

const at = (scrollTop: number, count = 5_000) => ({ scrollTop, height: 400, rowHeight: 50, count });

describe("the rows in the page", () => {
  it.each([0, 49, 50, 1_234, 249_600])("cover what is visible at %i px, with some beyond", (scrollTop) => {
    const { from, to, most } = rowsInView(at(scrollTop));
    expect(from).toBeLessThanOrEqual(Math.max(0, scrollTop / 50 - 8));
    expect(to).toBeGreaterThanOrEqual(Math.min(5_000, (scrollTop + 400) / 50 + 8));
    expect(to - from).toBeLessThanOrEqual(most);
    expect(most).toBe(8 + 2 * 8 + 4);
  });

  it("stay the same while the visitor scrolls by less than a few rows", () =>
    expect(rowsInView(at(1_010))).toEqual(rowsInView(at(1_150))));

  it("are never beyond the end, also when the list has become shorter", () => {
    expect(rowsInView(at(0, 3))).toMatchObject({ from: 0, to: 3 });
    expect(rowsInView(at(0, 0))).toMatchObject({ from: 0, to: 0 });
    expect(rowsInView(at(200_000, 10))).toMatchObject({ from: 10, to: 10 });
  });
});

it("scrolls no further than a row needs", () => {
  expect(scrollTopFor(3, at(100))).toBe(100);
  expect(scrollTopFor(1, at(100))).toBe(50);
  expect(scrollTopFor(20, at(100))).toBe(20 * 50 + 50 - 400);
});

it("moves by a page less one row, by one at least", () => {
  expect(rowsPerPage(at(0))).toBe(7);
  expect(rowsPerPage({ ...at(0), height: 20 })).toBe(1);
});
