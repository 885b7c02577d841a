/** Which processes renew yt-dlp. Nothing is installed: the version in use is from the future. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { readConfig } from "../../config/config.ts";
import { startRenewal, type RenewalParts } from "./open-extractor.ts";

/** @returns whether conversions can ask for a newer version, and what the log says */
async function renewsAs(role: "all" | "web" | "worker", hasSandbox = true) {
  const dataDir = await testFolder();
  const config = readConfig({ DATA_DIR: dataDir });
  const current: { version: string; lookForNewer?: () => void } = { version: "2099.1.1" };
  const lines: string[] = [];
  const parts = {
    config: { ...config, env: { ...config.env, ROLE: role } },
    firstPath: join(dataDir, "yt-dlp"),
    current,
    pipeline: { sandbox: hasSandbox ? await openTestSandbox() : undefined },
    metrics: { watchExtractor: () => ({}) },
    log: { info: () => undefined, warn: (line: string) => lines.push(line) },
  };
  const started = await startRenewal(parts as unknown as RenewalParts);
  await started[Symbol.asyncDispose]();
  return { isRenewing: current.lookForNewer !== undefined, lines };
}

it("renews yt-dlp in processes that convert, and not in web processes", async () => {
  expect(await renewsAs("all")).toEqual({ isRenewing: true, lines: [] });
  expect(await renewsAs("worker")).toEqual({ isRenewing: true, lines: [] });
  expect(await renewsAs("web")).toEqual({ isRenewing: false, lines: [] });
});

it("renews no yt-dlp without a sandbox, and says so", async () => {
  const { isRenewing, lines } = await renewsAs("all", false);
  expect([isRenewing, lines]).toEqual([false, [expect.stringContaining("yt-dlp is not renewed")]]);
});
