/** Caddy, the load balancer of the cluster: from the PATH or Debian's package. */
import { prepareDebianProgram } from "./debian-program.ts";

const HOW_TO_MEND = "run `apt-get install caddy` (macOS: `brew install caddy`)";

/**
 * Finds Caddy or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export function prepareCaddy(options: {
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  return prepareDebianProgram("caddy", { ...options, howToMend: HOW_TO_MEND });
}
