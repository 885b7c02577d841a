import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../../repository.ts";
import { withCosts, withFigures } from "./readme-figures.ts";
import { Kept } from "./results.ts";

const read = (path: string): Promise<string> => readFile(join(REPOSITORY_ROOT, path), "utf8");

it("shows the figures that are kept", async () => {
  const kept = Kept.parse(JSON.parse(await read("backend/dev/bench/kept.json")));
  const [readme, own] = [await read("README.md"), await read("backend/dev/bench/README.md")];
  expect(withFigures(readme, kept)).toBe(readme);
  expect(withCosts(own, kept)).toBe(own);
});

it("leaves the rest of a README alone", () => {
  const readme = "before\n<!-- figures of npm run bench -->\nold\n<!-- end of figures -->\nafter\n";
  expect(withFigures(readme, {})).toBe("before\n<!-- figures of npm run bench -->\n\n<!-- end of figures -->\nafter\n");
  expect(() => withFigures("nothing", {})).toThrow("no");
});
