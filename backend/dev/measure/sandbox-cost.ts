/** Measures how much longer tools take in their sandbox, each run beside one without it. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startExtractorHost, type ExtractorHost } from "../../pipeline/extractor-host/extractor-host.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { openSandbox } from "../../pipeline/process/open-sandbox.ts";
import { runBoundedTool, type ToolCommand } from "../../pipeline/process/tool-process.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";

const RUNS = 100;
const BOUNDS = { timeoutMs: 60_000, killGraceMs: 1_000, maxMemoryBytes: 1_073_741_824 };
const forever = new AbortController().signal;

/** Milliseconds of each run. */
export interface SandboxCost {
  readonly name: string;
  readonly withoutMs: readonly number[];
  readonly withMs: readonly number[];
}

async function timed(run: () => Promise<{ readonly exitCode: number | null }>): Promise<number> {
  const beganAtMs = performance.now();
  const { exitCode } = await run();
  if (exitCode !== 0) throw new Error(`a tool ended with code ${exitCode}`);
  return performance.now() - beganAtMs;
}

/** Runs both kinds in turns, so that other programs of the machine cost both the same. */
async function pairs(
  name: string,
  run: (sandbox: ToolSandbox | undefined) => Promise<{ readonly exitCode: number | null }>,
  sandbox: ToolSandbox,
): Promise<SandboxCost> {
  const [withoutMs, withMs]: [number[], number[]] = [[], []];
  // The first run of each finds no file in memory.
  for (const kind of [undefined, sandbox]) await run(kind);
  for (let n = 0; n < RUNS; n += 1) {
    // In the opposite order every second time.
    for (const kind of n % 2 === 0 ? [undefined, sandbox] : [sandbox, undefined])
      (kind ? withMs : withoutMs).push(await timed(() => run(kind)));
  }
  return { name, withoutMs, withMs };
}

/**
 * A start of ffmpeg, and a call of the yt-dlp that stays loaded.
 * @throws Error where this machine has no whole sandbox
 */
export async function measureSandboxCost(report: (line: string) => void): Promise<readonly SandboxCost[]> {
  await using started = new AsyncDisposableStack();
  const { ffmpegPath, ytDlpPath } = await prepareToolsOfCheckout(report);
  const { sandbox, missing } = await openSandbox();
  if (!sandbox || missing !== undefined) throw new Error(`this machine has ${missing}`);
  const root = await mkdtemp(join(tmpdir(), "sandbox-cost-"));
  started.defer(() => rm(root, { recursive: true }));
  const folder = join(root, "job");
  await mkdir(folder);
  const guard = await startEgressGuard({ allow: [] });
  started.defer(() => guard.stop());
  const openHost = async (of: ToolSandbox | undefined): Promise<ExtractorHost> => {
    const host = await startExtractorHost(ytDlpPath, root, undefined, of);
    if (!host) throw new Error("yt-dlp cannot stay loaded on this machine");
    return started.use(host);
  };
  const [open, enclosed] = [await openHost(undefined), await openHost(sandbox)];
  const session = started.use(guard.open(1_000_000));
  const ffmpeg = (of: ToolSandbox | undefined) => {
    const command: ToolCommand = { ...BOUNDS, path: ffmpegPath, args: ["-version"], folder, sandbox: of };
    return runBoundedTool(command, forever);
  };
  const ytDlp = (of: ToolSandbox | undefined) => {
    const access: ToolCommand["access"] = { network: "sockets", programs: [ytDlpPath], ways: [session.way] };
    const command: ToolCommand = { ...BOUNDS, path: ytDlpPath, args: ["--version"], folder, sandbox: of, access };
    return (of ? enclosed : open).run(command, forever);
  };
  return [await pairs("start of ffmpeg", ffmpeg, sandbox), await pairs("call of yt-dlp", ytDlp, sandbox)];
}
