/** Hosts that a page leads to, while the operator has blocked them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parseHostList } from "../../common/hosts.ts";
import { TIERS } from "../../common/tiers.ts";
import { repositoryDataDir } from "../dev/repository.ts";
import { type SampleSite, startSampleSite } from "../dev/stand-ins/sample-site/sample-site.ts";
import { PATIENT_LIMITS } from "../dev/testing/patient-limits.ts";
import { openTestSandbox } from "../dev/testing/test-sandbox.ts";
import { BlockList } from "../domain/blocks/block-list.ts";
import { convert } from "./convert.ts";
import { startEgressGuard } from "./guard/egress-guard.ts";
import type { Pipeline } from "./pipeline.ts";

const resources = new AsyncDisposableStack();
let site: SampleSite;
let root: string;
let pipeline: Pipeline;

beforeAll(async () => {
  const { ffmpegPath, ...tools } = inject("toolPaths");
  root = await mkdtemp(join(tmpdir(), "blocked-"));
  resources.defer(() => rm(root, { recursive: true }));
  site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined });
  resources.defer(() => site.stop());
  const blocks = new BlockList();
  // The host of the site's private target. Blocked goes before private.
  blocks.replace([{ kind: "host", value: "127.0.0.1", until: null }]);
  const refusesHost = (host: string): boolean => blocks.refusesHost(host);
  const guard = resources.use(await startEgressGuard({ allow: parseHostList(site.host), refusesHost }));
  const sandbox = await openTestSandbox();
  pipeline = { tools: { ...tools, ffmpegPath }, sandbox, guard, videoHosts: [], blocks, limits: PATIENT_LIMITS };
});
afterAll(() => resources.disposeAsync());

describe.concurrent("a blocked host is not contacted", () => {
  it.each(["redirect-private", "player-private", "media-redirect-private"] as const)("from %s", async (page) => {
    const folder = await mkdtemp(join(root, "job-"));
    const listener = { metadata: ignore, thumbnail: ignore, shortfall: ignore, progress: ignore };
    const request = { url: site.urlOf(page), format: "mp4" as const, limits: TIERS.free, folder };
    const attempt = convert(request, listener, pipeline, new AbortController().signal);
    await expect(attempt).rejects.toMatchObject({ code: "blocked" });
    expect(site.privateTarget.contacts).toBe(0);
  });
});

function ignore(): void {}
