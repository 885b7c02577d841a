/** The load balancer of the cluster: Caddy with the Caddyfile that ships in docker/. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownPort } from "../own-port.ts";
import { prepareCaddy } from "../setup/debian-programs.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { ServerProcess } from "../product/server-process.ts";

const CADDYFILE = join(REPOSITORY_ROOT, "docker", "Caddyfile");
const STOP_TIMEOUT_MS = 5_000;
/** No admin port, loopback only; open connections do not delay a stop. */
const GLOBAL_OPTIONS = "{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tgrace_period 100ms\n}\n";

export interface BalancerOptions {
  /** A free one unless given. */
  readonly port?: number;
  /** Origins of the web processes, which need not run yet. */
  readonly targets: readonly string[];
  readonly report?: (line: string) => void;
}

export interface Balancer {
  readonly origin: string;
  readonly port: number;
  /** Ends Caddy and every connection through it. */
  stop(): Promise<void>;
}

/**
 * Starts Caddy in front of the web processes and waits until it listens.
 * @throws SetUpError when Caddy cannot be installed or does not start
 */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { targets, report = () => undefined } = options;
  const program = await prepareCaddy({ report });
  const port = options.port ?? (await ownPort());
  const origin = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-balancer-"));
  const config = join(folder, "Caddyfile");
  await writeFile(config, `${GLOBAL_OPTIONS}import ${CADDYFILE}\n`);
  const caddy = new ServerProcess({
    name: "the balancer",
    command: [program, "run", "--config", config],
    env: {
      SITE_ADDRESS: `http://localhost:${port}, http://127.0.0.1:${port}`,
      WEB_UPSTREAMS: targets.map((target) => new URL(target).host).join(" "),
      // Caddy stores certificates and its last configuration in these folders.
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    ready: async () => {
      const answer = await fetch(`${origin}/metrics`);
      await answer.body?.cancel();
      return true;
    },
    stopTimeoutMs: STOP_TIMEOUT_MS,
    report,
  });
  const stop = async () => {
    await caddy.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await caddy.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, origin, stop };
}
