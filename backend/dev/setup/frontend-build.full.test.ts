import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { buildFrontend } from "./frontend-build.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

let root: string;
beforeEach(async () => {
  root = await testFolder();
  for (const folder of ["frontend", "common", "node_modules"]) await mkdir(path.join(root, folder));
  await symlink(path.join(REPOSITORY_ROOT, "node_modules", "vite"), path.join(root, "node_modules", "vite"));
  await writeFile(path.join(root, "package-lock.json"), "{}");
  await writeFile(path.join(root, "frontend", "index.html"), "<h1>first</h1>");
});

const build = async () => await buildFrontend({ root, outDir: path.join(root, "frontend", "dist"), report: () => {} });
const page = async () => await readFile(path.join(root, "frontend", "dist", "index.html"), "utf8");

it("builds again only after a change", async () => {
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
  await writeFile(path.join(root, "frontend", "index.html"), "<h1>the second</h1>");
  expect(await build()).toBe(true);
  expect(await page()).toContain("the second");
  await writeFile(path.join(root, "common", "tiers.ts"), "export {};");
  expect(await build()).toBe(true);
});

it("builds once for two starts at the same time", async () => {
  const builds = await Promise.all([build(), build()]);
  expect(builds.filter(Boolean)).toHaveLength(1);
});

it("keeps the last build when the next one fails, and says why", async () => {
  await build();
  await writeFile(path.join(root, "frontend", "index.html"), '<script type="module" src="./missing.ts"></script>');
  await expect(build()).rejects.toThrow(/The pages could not be built .*missing/);
  expect(await page()).toContain("first");
});
