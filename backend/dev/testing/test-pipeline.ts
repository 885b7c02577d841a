/** A pipeline for a file of tests that fetches nothing: the real tools, no hosts let through, a folder of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "../../pipeline/pipeline.ts";

export interface TestPipeline {
  readonly pipeline: Pipeline;
  readonly folder: string;
  /** Given back to `beforeAll`, which calls it when the tests are over. */
  readonly close: () => Promise<void>;
}

export async function openTestPipeline(about: Pick<Pipeline, "cores"> = {}): Promise<TestPipeline> {
  const folder = await mkdtemp(join(tmpdir(), "pipeline-"));
  const guard = await startEgressGuard({ allow: [] });
  const tools = { ...inject("toolPaths"), nodePath: process.execPath };
  return {
    pipeline: { tools, guard, videoHosts: [], limits: DEFAULT_PIPELINE_LIMITS, ...about },
    folder,
    close: async () => {
      await guard.stop();
      await rm(folder, { recursive: true });
    },
  };
}
