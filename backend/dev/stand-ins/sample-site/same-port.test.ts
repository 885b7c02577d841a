import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, inject, it } from "vitest";
import { testFolder } from "../../testing/test-folder.ts";
import { ownPort } from "../../own-port.ts";
import { repositoryDataDir } from "../../repository.ts";
import { startOnSamePort } from "./same-port.ts";

let folder = "";
beforeEach(async () => void (folder = await testFolder()));

const start = () =>
  startOnSamePort(join(folder, "port"), {
    dataDir: repositoryDataDir(),
    ffmpegPath: inject("toolPaths").ffmpegPath,
    report: () => undefined,
  });

it("starts the site at the same address again", async () => {
  await writeFile(join(folder, "port"), `${await ownPort()}\n`);
  const first = await start();
  await first.stop();
  const second = await start();
  await second.stop();
  expect(second.origin).toBe(first.origin);
});

it("takes another port while the kept one is in use, and keeps the first one", async () => {
  const first = await start();
  const kept = await readFile(join(folder, "port"), "utf8");
  const second = await start();
  expect(second.origin).not.toBe(first.origin);
  expect(await readFile(join(folder, "port"), "utf8")).toBe(kept);
  await Promise.all([first.stop(), second.stop()]);
});

it("takes a free port when the file holds none", async () => {
  await writeFile(join(folder, "port"), "http\n");
  const site = await start();
  await site.stop();
  expect(await readFile(join(folder, "port"), "utf8")).toBe(`${new URL(site.origin).port}\n`);
});
