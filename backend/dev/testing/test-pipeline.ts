/** A pipeline for tests that fetch nothing: real tools, an egress guard that allows no host, and its own folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";
import { PATIENT_LIMITS } from "./patient-limits.ts";
import { openTestSandbox } from "./test-sandbox.ts";

export interface TestPipeline {
  readonly pipeline: Pipeline;
  readonly folder: string;
  /** Return it from `beforeAll`, which calls it after the tests. */
  readonly close: () => Promise<void>;
}

export async function openTestPipeline(options: Pick<Pipeline, "cores"> = {}): Promise<TestPipeline> {
  const folder = await mkdtemp(join(tmpdir(), "pipeline-"));
  const guard = await startEgressGuard({ allow: [] });
  const tools = { ...inject("toolPaths"), denoPath: findScriptRuntime() };
  const sandbox = await openTestSandbox();
  return {
    pipeline: { tools, sandbox, guard, videoHosts: [], limits: PATIENT_LIMITS, ...options },
    folder,
    close: async () => {
      await guard.stop();
      await rm(folder, { recursive: true });
    },
  };
}
