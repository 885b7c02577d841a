/** What the benches of the cluster share: a cluster with artificial workers, and visitors that request conversions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mergeSettings, type SettingsOverrides } from "../../config/settings.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { CLUSTER_SETTINGS } from "./scenario.ts";

export interface BenchOptions {
  readonly tools: ToolPaths;
  readonly report: (line: string) => void;
}

interface BenchParts {
  readonly webs: number;
  readonly workers: number;
  /** Conversions of each worker at the same time. */
  readonly concurrency: number;
  /** How long each conversion waits. */
  readonly conversionMs: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: SettingsOverrides;
}

export async function withCluster<T>(
  tools: ToolPaths,
  parts: BenchParts,
  measure: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const { webs, workers, concurrency, conversionMs, settings = {} } = parts;
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
  try {
    await using cluster = await startCluster({
      dataDir: folder,
      tools,
      webs,
      workers,
      workerEntry: "backend/dev/cluster/artificial-worker.ts",
      env: { WORKER_CONCURRENCY: String(concurrency), ARTIFICIAL_MS: String(conversionMs), ...parts.env },
      settings: mergeSettings(CLUSTER_SETTINGS, settings),
    });
    return await measure(cluster);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns `Cookie` headers of new browsers, signed with the cluster's keys */
export function newCookies({ sessionKeys }: Cluster, count: number): string[] {
  const cookies = createDeviceCookies(sessionKeys, false);
  return Array.from({ length: count }, () =>
    cookies
      .issue()
      .setCookie.map((line) => line.split(";")[0])
      .join("; "),
  );
}

export async function requestConversion(cluster: Cluster, cookie: string, n: number): Promise<void> {
  const answer = await fetch(`${cluster.origin}/api/conversions`, {
    method: "POST",
    headers: { cookie, origin: cluster.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: `${cluster.site.urlOf("cello")}?n=${n}`, format: "mp3" }),
  });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}
