import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../../repository.ts";
import { withCosts, withFigures, withSummary } from "./readme-figures.ts";
import { Kept } from "./results.ts";

const read = (path: string): Promise<string> => readFile(join(REPOSITORY_ROOT, path), "utf8");

it("both READMEs show the kept figures", async () => {
  const kept = Kept.parse(JSON.parse(await read("backend/dev/bench/kept.json")));
  const readme = await read("README.md");
  const own = await read("backend/dev/bench/README.md");
  expect(withSummary(readme, kept)).toBe(readme);
  expect(withFigures(own, kept)).toBe(own);
  expect(withCosts(own, kept)).toBe(own);
});

it("changes only the text between the markers", () => {
  const readme = "before\n<!-- figures of npm run bench -->\nold\n<!-- end of figures -->\nafter\n";
  expect(withFigures(readme, {})).toBe("before\n<!-- figures of npm run bench -->\n\n<!-- end of figures -->\nafter\n");
  expect(() => withFigures("nothing", {})).toThrow("no");
});
