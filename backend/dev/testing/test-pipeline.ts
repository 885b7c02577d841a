/** A pipeline for tests that fetch nothing: real tools, an egress guard that allows no host, and its own folder. */
import { inject } from "vitest";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";
import { PATIENT_LIMITS } from "./patient-limits.ts";
import { testFolder } from "./test-folder.ts";
import { openTestSandbox } from "./test-sandbox.ts";

export interface TestPipeline extends AsyncDisposable {
  readonly pipeline: Pipeline;
  readonly folder: string;
}

export async function openTestPipeline(options: Pick<Pipeline, "cores"> = {}): Promise<TestPipeline> {
  const folder = await testFolder();
  const guard = await startEgressGuard({ allow: [] });
  const tools = { ...inject("toolPaths"), denoPath: findScriptRuntime() };
  const sandbox = await openTestSandbox();
  return {
    pipeline: { tools, sandbox, guard, videoHosts: [], limits: PATIENT_LIMITS, ...options },
    folder,
    [Symbol.asyncDispose]: () => guard.stop(),
  };
}
