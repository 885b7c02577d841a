/** One web or worker process of a cluster, configured by environment variables alone. */
import { join } from "node:path";
import type { SettingsOverrides } from "../../config/settings.ts";
import { ownPort } from "../own-port.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { MAIN_WITH_SETTINGS } from "../settings-argument.ts";
import { createPart, type Part } from "./part.ts";

/** Time between SIGTERM and SIGKILL, as an operator configures it. */
const STOP_TIMEOUT_MS = 15_000;

export interface ClusterPart extends Part {
  readonly origin: string;
  /** Its own data folder. */
  readonly dataDir: string;
}

export interface ClusterMemberOptions {
  readonly role: "web" | "worker";
  /** From 1, within its role. */
  readonly number: number;
  /** Data folder of the whole cluster. */
  readonly clusterDir: string;
  /** Environment variables that all members share. */
  readonly env: Readonly<Record<string, string>>;
  readonly settings?: SettingsOverrides | undefined;
  /** Script that it runs, relative to the repository, with the settings as its argument; the product unless given. */
  readonly entry?: string | undefined;
  /** Arguments for node; none unless given. */
  readonly nodeArguments?: readonly string[] | undefined;
  /** Whether it is restarted when it ends unexpectedly. */
  readonly isRevived?: boolean | undefined;
  readonly report: (line: string) => void;
  /** Gets every line that the process prints. */
  readonly onOutput?: ((name: string, line: string) => void) | undefined;
}

/** Chooses a free port for a member; the process is not started yet. */
export async function createClusterMember(options: ClusterMemberOptions): Promise<ClusterPart> {
  const { role, number, settings = {}, entry = MAIN_WITH_SETTINGS, nodeArguments = [], report, onOutput } = options;
  const name = `${role} ${number}`;
  const dataDir = join(options.clusterDir, `${role}-${number}`);
  const port = await ownPort();
  const origin = `http://127.0.0.1:${port}`;
  const part = createPart({
    name,
    command: [process.execPath, ...nodeArguments, join(REPOSITORY_ROOT, entry), JSON.stringify(settings)],
    cwd: REPOSITORY_ROOT,
    env: { ...options.env, ROLE: role, PORT: String(port), DATA_DIR: dataDir },
    isReady: async () => {
      const answer = await fetch(`${origin}/readyz`);
      await answer.body?.cancel();
      return answer.ok;
    },
    stopTimeoutMs: STOP_TIMEOUT_MS,
    isRevived: options.isRevived,
    report,
    onOutput: (line) => onOutput?.(name, line),
  });
  return Object.assign(part, { origin, dataDir });
}
