import { expect, it } from "vitest";
import { Tally } from "./tally.ts";

it("reports a fault when it is first found, and counts it again at the end", () => {
  const lines: string[] = [];
  const tally = new Tally((line) => lines.push(line));
  tally.find("a fault", "here");
  tally.find("a fault", "there");
  expect(lines).toEqual(["FOUND a fault: here"]);
  expect(tally.findings()).toEqual(["a fault (2 times)\n    here\n    there"]);
});
