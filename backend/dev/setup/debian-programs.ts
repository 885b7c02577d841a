/** Redis, Caddy and nginx, for tests and the cluster: from the PATH or, on Debian as root, from the package of that name. */
import { canInstallPackages, installPackages } from "./debian.ts";
import { findOnPath } from "../../runtime/find-program.ts";
import type { SetUpOptions } from "./made-program.ts";
import { SetUpError } from "./set-up-error.ts";

/**
 * Finds redis-server or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export function prepareRedis(options: SetUpOptions): Promise<string> {
  return prepareDebianProgram("redis-server", "redis", options);
}

/**
 * Finds Caddy, the load balancer of the cluster, or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export function prepareCaddy(options: SetUpOptions): Promise<string> {
  return prepareDebianProgram("caddy", "caddy", options);
}

/**
 * Finds nginx, which the manual has a file for, or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export function prepareNginx(options: SetUpOptions): Promise<string> {
  return prepareDebianProgram("nginx", "nginx", options);
}

/**
 * @param name of the program and of its Debian package
 * @param brewName of the macOS package, for the error message
 */
async function prepareDebianProgram(name: string, brewName: string, options: SetUpOptions): Promise<string> {
  const { report, signal } = options;
  const howToFix = `run \`apt-get install ${name}\` (macOS: \`brew install ${brewName}\`)`;
  const found = findOnPath(name);
  if (found !== undefined) return found;
  if (!canInstallPackages()) throw new SetUpError(`${name} is missing: ${howToFix}.`);
  try {
    await installPackages([name], options);
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(`${name} is missing and could not be installed (${reason}): ${howToFix}.`, { cause: error });
  }
  const installed = findOnPath(name);
  if (installed === undefined) throw new SetUpError(`${name} was installed but is not on the PATH: ${howToFix}.`);
  report(`${name}: ${installed}`);
  return installed;
}
