/** Installs Debian packages. */
import { readdir } from "node:fs/promises";
import { runTool } from "./run-tool.ts";
import { findOnPath } from "../../runtime/find-program.ts";

/** Longest wait for another apt-get, such as the machine's own updates. */
const APT_LOCK_TIMEOUT_SECONDS = 300;

/** Whether packages can be installed: apt-get exists and this process is root. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && findOnPath("apt-get") !== undefined;
}

/**
 * Installs packages, fetching the package lists first where they are missing or out of date.
 * @throws ToolFailure with the last output of apt-get
 */
export async function installPackages(
  packages: readonly string[],
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  options.report(`Installing ${packages.join(", ")} with apt-get; this can take a minute or two …`);
  if (!(await hasPackageLists())) await aptGet(["update"], options);
  const install = ["install", "--yes", "--no-install-recommends", ...packages];
  try {
    await aptGet(install, options);
  } catch {
    options.signal?.throwIfAborted();
    options.report("  apt-get: trying again with fresh package lists …");
    // A killed set-up leaves packages unpacked; dpkg installs no more until they are configured.
    await installTool(["dpkg", "--configure", "-a"], options);
    await aptGet(["update"], options);
    await aptGet(install, options);
  }
}

async function hasPackageLists(): Promise<boolean> {
  try {
    const names = await readdir("/var/lib/apt/lists");
    return names.some((name) => name.includes("_Packages"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

async function aptGet(
  args: readonly string[],
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  await installTool(["apt-get", "-o", `DPkg::Lock::Timeout=${APT_LOCK_TIMEOUT_SECONDS}`, ...args], {
    ...options,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** What packages install is for all users, while what the server makes is for its owner alone. */
async function installTool(command: readonly string[], options: Parameters<typeof runTool>[2]): Promise<void> {
  await runTool("sh", ["-c", 'umask 022; exec "$@"', "sh", ...command], options);
}
