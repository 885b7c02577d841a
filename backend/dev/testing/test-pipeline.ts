/** A pipeline for tests that fetch nothing: real tools, an egress guard that allows no host, and its own folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "../../pipeline/pipeline.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";
import { openTestSandbox } from "./test-sandbox.ts";

/** No test reaches a limit of time because the machine is busy. */
const PATIENT_LIMITS = { ...DEFAULT_PIPELINE_LIMITS, inspectTimeoutMs: 240_000 };

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
